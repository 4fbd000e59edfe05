"""What `tracegrade label` does: asks for labels, or moves them between the store and JSONL files."""

import getpass
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collector import Extension, Store, config, connect, tree
from grader.asking import CENTER
from grader.case import Suite
from grader.code.process import Permission
from grader.gate import plural
from grader.people import label_file, stored
from grader.people.dialogue import Counts, Dialogue
from grader.people.wanted import Unlabelled, of_store, of_suite, trees_of
from grader.suites import read_suites


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line says."""

    check: str | None = None
    scale: int | None = None
    labeler: str | None = None
    limit: int | None = None
    again: bool = False
    allow_code: bool = False
    format_name: str | None = None


def label(paths: Sequence[Path], store: str | None, asked: Asked, extensions: Sequence[Extension]) -> int:
    """Shows outputs without a label and records what is said of them; returns the exit code.

    Raises:
        UserError: a suite has mistakes.
        StoreError: the store cannot be opened, read or written.
    """
    suites = read_suites(paths, asked.format_name, Permission() if asked.allow_code else None)
    with _opened(store, extensions) as opened:
        opened.settle()
        dialogue = Dialogue(
            lines=sys.stdin, out=sys.stdout, labeler=asked.labeler or _user(), scale=asked.scale,
            keep=lambda one: stored.append(opened, [one]),
        )  # fmt: skip

        def find(run_id: str) -> tree.Run | None:
            return trees_of(opened, [run_id]).get(run_id)

        counts = dialogue.ask(_wanted(opened, suites, asked), find, asked.limit)
    _tell(counts)
    return 0


def export_labels(path: Path, store: str | None, check: str | None, extensions: Sequence[Extension]) -> int:
    """Writes the store's labels (`check`: of that name) to a JSONL file in the evalstone form, in the order of their rows.

    Raises:
        UserError: the file cannot be written.
        StoreError: the store cannot be opened or read.
    """
    with _opened(store, extensions) as opened:
        labels = [one for one in stored.every(opened) if check in (None, one.check or "")]
    label_file.write(path, labels)
    sys.stdout.write(f"{path}: {plural(len(labels), 'label')}\n")
    return 0


def import_labels(path: Path, store: str | None, check: str | None, extensions: Sequence[Extension]) -> int:
    """Takes the labels of a JSONL file into the store, but for those that it has: the same file again changes nothing.

    `check`: those that name no check become labels of that one. Lines that are no labels are told, each with its line, and
    make the exit code 2; the others are taken in.

    Raises:
        UserError: the file cannot be read.
        StoreError: the store cannot be opened or written.
    """
    found = label_file.read(path)
    labels = [replace(one, check=one.check or check) for _, one in found.labels]
    with _opened(store, extensions) as opened:
        known = set(stored.every(opened))
        new = [one for one in labels if one not in known]
        stored.append(opened, new)
    sys.stdout.write(f"{path}: {plural(len(labels), 'label')}, {len(new)} new\n")
    sys.stderr.writelines(f"tracegrade: {path}:{b.line} is no label: {b.message}\n" for b in found.broken)
    return 2 if found.broken else 0


def _wanted(store: Store, suites: Sequence[Suite], asked: Asked) -> Iterator[Unlabelled]:
    if not suites:
        yield from of_store(store, asked.check, again=asked.again)
    for suite in suites:
        wanted = of_suite(store, suite, asked.check, again=asked.again)
        for source in sorted({one.ask.source for one in wanted} - {"", CENTER}):
            sys.stderr.write(
                f"tracegrade: {suite.name}: labels go to the store, and a check of it reads {source}: --export writes it\n"
            )
        default = sorted({one.ask.folder for one in wanted if not one.ask.source})
        for path in (Path(folder) / label_file.DEFAULT for folder in default):
            if path.is_file():
                sys.stderr.write(
                    f"tracegrade: {suite.name}: once the store has labels, {path} is not read: --import takes it in\n"
                )
        yield from wanted


def _tell(counts: Counts) -> None:
    skipped = f", {counts.skipped} skipped" if counts.skipped else ""
    sys.stdout.write(f"{plural(counts.labelled, 'label')} recorded{skipped}\n")
    if not counts.shown:
        sys.stdout.write("No output was without a label (--again shows those that have one).\n")
    for run_id in counts.changed:
        sys.stderr.write(f"tracegrade: run {run_id} has another output by now; label it again\n")


def _opened(store: str | None, extensions: Sequence[Extension]) -> Store:
    return connect(config.load({"store": store}).settings.store, extensions=extensions, create=False)


def _user() -> str:
    """Who is logged in; where the system does not say so, nobody by name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
