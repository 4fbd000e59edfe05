"""`tracegrade sql`: one SELECT statement, answered in a format of choice."""

import shutil
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from collector.cli.opening import StoreOption, fail, opened

_NOW = 1.0
"""Seconds; a younger answer counts as one of this moment."""


class Format(StrEnum):
    """How the answer is written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    ARROW = "arrow"
    PARQUET = "parquet"


def sql(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT statement.")],
    store: StoreOption = None,
    format: Annotated[  # noqa: A002 (the option's name)
        Format | None, typer.Option(help="Default: a table in a terminal, else csv.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write into this file.", dir_okay=False, show_default=False)
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="How many rows at most. Default: setting sql_rows.")] = None,
    seconds: Annotated[float | None, typer.Option(help="How long it may take. Default: setting sql_seconds.")] = None,
) -> None:
    """Answer one SELECT statement over the tables that the README lists."""
    terminal = output is None and sys.stdout.isatty()
    chosen = format or (Format.TABLE if terminal else Format.CSV)
    if chosen in (Format.ARROW, Format.PARQUET) and terminal:
        fail(f"{chosen.title()} is not for terminals: name a file with --output, or pipe it.")
    # What a program reads is passed on as it comes. A table, and CSV on a terminal, are made here.
    form = "arrow" if chosen in (Format.TABLE, Format.PARQUET) or (chosen is Format.CSV and terminal) else chosen.value
    with opened(ctx, store) as found:
        from collector import config

        limits = config.load({"sql_rows": limit, "sql_seconds": seconds}).settings
        found.settle()
        with found.select(
            query,
            form=form,
            max_rows=limits.sql_rows,
            seconds=limits.sql_seconds,
            max_age=limits.sql_age_seconds,
        ) as answer:
            if output is None:
                _write(answer, chosen, form, sys.stdout.buffer)
            else:
                with output.open("wb") as file:
                    _write(answer, chosen, form, file)
            _remark(answer)


def _write(answer: Any, chosen: Format, form: str, out: Any) -> None:
    from collector.answer import formats
    from collector.printable import clean

    if form == chosen:
        shutil.copyfileobj(answer.file, out)
    elif chosen is Format.PARQUET:
        formats.write_parquet(*answer.batches(), out)
    elif chosen is Format.CSV:
        formats.write_csv(*answer.batches(), out, text=clean)
    else:
        _table(answer.table(), out)
    out.flush()


def _table(answer: Any, out: Any) -> None:
    from collector.answer.formats import tuples
    from collector.cli.render.screen import screen
    from collector.cli.render.table import rows

    console = screen()
    with console.capture() as capture:
        for part in rows(answer.column_names, list(tuples(answer)), console.width):
            console.print(part)
    out.write(capture.get().encode())


def _remark(answer: Any) -> None:
    """What has to be known about the answer, beside it."""
    if answer.truncated:
        typer.echo(f"There are more than these {answer.rows:,} rows; --limit raises the number.", err=True)
    if answer.age >= _NOW:
        typer.echo(f"What came in the last {answer.age:.1f} s may be missing (setting sql_age_seconds).", err=True)
