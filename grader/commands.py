"""What the commands `grade` and `lint` do: read files, open the store, grade, print."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from collector import Extension, UserError, config, connect
from grader import durations
from grader.grade import Options
from grader.grade import grade as grade_suites
from grader.grading import notices
from grader.inputs import Inputs, read_context
from grader.pieces import scan
from grader.report.report_format import Format, Page, exit_code
from grader.schema import json_schema
from grader.suites import read_suites


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
    suites = read_suites(paths, format_name)
    if asked.since is not None:
        try:
            durations.since(asked.since, datetime.now(UTC))
        except ValueError as error:
            raise UserError(f"--since: {error}") from None
    settings = config.load({"store": store}).settings
    options = Options(
        since=asked.since,
        one=asked.one,
        batch=asked.batch,
        quiet_seconds=None if asked.include_open else settings.open_seconds,
        inputs=Inputs(
            context={} if asked.context is None else read_context(asked.context), tenant_gate=asked.tenant_gate
        ),
        latest=asked.latest,
    )
    with connect(settings.store, extensions=extensions, create=False) as opened:
        gradings = grade_suites(opened, suites, options, _tell)
    formats: dict[str, Format] = scan("grader.report.formats", "FORMAT")
    page = Page(width=shutil.get_terminal_size((100, 24)).columns, colour=sys.stdout.isatty())
    sys.stdout.write(formats["json" if as_json else "text"].render(gradings, page))
    if junit is not None:
        _write(junit, formats["junit"].render(gradings, page))
    return exit_code(gradings)


def lint(paths: Sequence[Path], *, schema: bool = False, format_name: str | None = None) -> int:
    """Prints the schema, or one line a sound suite with what it asks in vain.

    Raises:
        UserError: with the mistakes of all files.
    """
    if schema:
        sys.stdout.write(orjson.dumps(json_schema(), option=orjson.OPT_INDENT_2).decode() + "\n")
    for suite in read_suites(paths, format_name):
        checks = sum(len(c.expect) for c in suite.cases)
        sys.stdout.write(f"{suite.path}: {suite.name!r} is sound: {len(suite.cases)} cases, {checks} checks\n")
        for notice in notices(suite):
            sys.stdout.write(f"  {notice}\n")
    return 0


def _tell(note: str) -> None:
    sys.stderr.write(f"tracegrade: {note}\n")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"The report cannot be written to {path}: {error.strerror}") from None
