"""What the commands `grade`, `lint` and `explain` do: read files, open the store, grade, print."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import orjson

from collector import Extension, UserError, config, connect
from grader import durations, outline
from grader.code.process import CALL_SECONDS, Permission
from grader.grade import Options
from grader.grade import grade as grade_suites
from grader.grading import notices
from grader.inputs import Inputs, read_context
from grader.judge.foreseen import foreseen
from grader.judge.judges import Limits, silent
from grader.judge.options import JudgeOptions
from grader.judge.progress import Progress
from grader.lint.lookup import look_up
from grader.lint.manifest import read_manifest
from grader.lint.seen import Names, seen
from grader.pieces import scan
from grader.report.report_format import Format, Page, exit_code
from grader.schema import json_schema
from grader.suites import read_suites
from grader.syntax.mistakes import Mistake, SuiteError


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedJudges:
    """What the command line says of judges."""

    model: str | None = None
    max_usd: float | None = None
    max_calls: int | None = None
    no_cache: bool = False
    refresh: bool = False
    dry_run: bool = False
    batch: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line narrows."""

    since: str | None = None
    one: str | None = None
    batch: str | None = None
    include_open: bool = False
    context: Path | None = None
    tenant_gate: bool = False
    latest: bool = False
    allow_code: bool = False
    judges: AskedJudges = field(default_factory=AskedJudges)


def grade(
    paths: Sequence[Path],
    store: str | None,
    asked: Asked,
    extensions: Sequence[Extension],
    *,
    as_json: bool = False,
    junit: Path | None = None,
    format_name: str | None = None,
) -> int:
    """Grades, prints, and returns the exit code. `store` None: the one that the settings name.

    Raises:
        UserError: a suite has mistakes, a time cannot be read, the report cannot be written.
        StoreError: the store cannot be opened or read.
    """
    settings = config.load({"store": store}).settings
    suites = read_suites(paths, format_name, _allowed(settings.code_seconds, allow_code=asked.allow_code))
    if asked.since is not None:
        try:
            durations.since(asked.since, datetime.now(UTC))
        except ValueError as error:
            raise UserError(f"--since: {error}") from None
    options = Options(
        since=asked.since,
        one=asked.one,
        batch=asked.batch,
        quiet_seconds=None if asked.include_open else settings.open_seconds,
        inputs=Inputs(
            context={} if asked.context is None else read_context(asked.context), tenant_gate=asked.tenant_gate
        ),
        processes=settings.grade_workers,
        latest=asked.latest,
        judging=_judging(asked.judges, settings.judge_calls),
    )
    with connect(settings.store, extensions=extensions, create=False) as opened:
        gradings = grade_suites(opened, suites, options, _tell)
    if asked.judges.dry_run:
        sys.stdout.write(foreseen(gradings, as_json=as_json))
        return 0
    formats: dict[str, Format] = scan("grader.report.formats", "FORMAT")
    page = _page()
    sys.stdout.write(formats["json" if as_json else "text"].render(gradings, page))
    if junit is not None:
        _write(junit, formats["junit"].render(gradings, page))
    return exit_code(gradings)


def _allowed(seconds: float, *, allow_code: bool) -> Permission | None:
    return Permission(seconds) if allow_code else None


def _judging(asked: AskedJudges, at_once: int) -> JudgeOptions:
    return JudgeOptions(
        model=asked.model,
        limits=Limits(usd=asked.max_usd, calls=asked.max_calls, at_once=at_once),
        cache=not asked.no_cache,
        refresh=asked.refresh,
        dry_run=asked.dry_run,
        batch=asked.batch,
        tell=Progress() if sys.stderr.isatty() else silent,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """What `lint` looks names up in: a store's traces, an agent manifest."""

    store: str | None = None
    manifest: Path | None = None


def lint(
    paths: Sequence[Path],
    against: Against,
    extensions: Sequence[Extension],
    *,
    schema: bool = False,
    format_name: str | None = None,
    allow_code: bool = False,
) -> int:
    """Prints the schema, or the warnings and one line a sound suite with what it asks in vain.

    Raises:
        UserError: with the mistakes of all files, names out of a manifest's reach among them.
        StoreError: the store cannot be opened or read.
    """
    if schema:
        sys.stdout.write(orjson.dumps(json_schema(), option=orjson.OPT_INDENT_2).decode() + "\n")
    suites = read_suites(paths, format_name, _allowed(CALL_SECONDS, allow_code=allow_code))
    manifest = None if against.manifest is None else read_manifest(against.manifest)
    known = None if against.store is None else _seen(against.store, extensions)
    errors: list[Mistake] = []
    for suite in suites:
        found = look_up(suite, known, manifest)
        errors += found.errors
        sys.stdout.writelines(
            f"{w.path}:{w.line}: {w.field}: warning: {w.message}\n" for w in sorted(set(found.warnings))
        )
        if not found.errors:
            checks = sum(len(c.expect) for c in suite.cases)
            sys.stdout.write(f"{suite.path}: {suite.name!r} is sound: {len(suite.cases)} cases, {checks} checks\n")
            sys.stdout.writelines(f"  {notice}\n" for notice in notices(suite))
    if errors:
        raise SuiteError(errors)
    return 0


def _seen(store: str, extensions: Sequence[Extension]) -> Names | None:
    with connect(config.load({"store": store}).settings.store, extensions=extensions, create=False) as opened:
        opened.settle()
        known = seen(opened)
    if known is None:
        _tell("the store holds no run, so no name was looked up in it")
    return known


def explain(
    paths: Sequence[Path], *, as_json: bool = False, format_name: str | None = None, allow_code: bool = False
) -> int:
    """Prints the compiled suites.

    Raises:
        UserError: with the mistakes of all files.
    """
    suites = read_suites(paths, format_name, _allowed(CALL_SECONDS, allow_code=allow_code))
    if as_json:
        told = {"suites": [outline.plain(suite) for suite in suites]}
        sys.stdout.write(orjson.dumps(told, default=str, option=orjson.OPT_INDENT_2).decode() + "\n")
        return 0
    sys.stdout.write("\n".join(outline.render(suite, _page()) for suite in suites))
    return 0


def _page() -> Page:
    return Page(width=shutil.get_terminal_size((100, 24)).columns, colour=sys.stdout.isatty())


def _tell(note: str) -> None:
    sys.stderr.write(f"tracegrade: {note}\n")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"The report cannot be written to {path}: {error.strerror}") from None
