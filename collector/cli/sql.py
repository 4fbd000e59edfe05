"""`tracegrade sql`: one SELECT statement, answered in a format of choice."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from collector.cli.opening import StoreOption, fail, opened


class Format(StrEnum):
    """How the answer is written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
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
    if chosen is Format.PARQUET and terminal:
        fail("Parquet is not for terminals: name a file with --output, or pipe it.")
    with opened(ctx, store) as found:
        from collector import config

        limits = config.load({"sql_rows": limit, "sql_seconds": seconds}).settings
        found.settle()
        answer = found.sql(query, max_rows=limits.sql_rows, seconds=limits.sql_seconds)
    if output is None:
        _write(answer, chosen, sys.stdout.buffer, escape=terminal)
    else:
        with output.open("wb") as file:
            _write(answer, chosen, file, escape=False)
    if (answer.schema.metadata or {}).get(b"truncated") == b"true":
        typer.echo(f"There are more than these {answer.num_rows} rows; --limit raises the number.", err=True)


def _write(answer: Any, chosen: Format, out: Any, *, escape: bool) -> None:
    from collector.cli.render import answer as formats

    match chosen:
        case Format.TABLE:
            _table(answer, out)
        case Format.CSV:
            formats.write_csv(answer, out, escape=escape)
        case Format.JSON:
            formats.write_json(answer, out)
        case Format.JSONL:
            formats.write_jsonl(answer, out)
        case Format.PARQUET:
            formats.write_parquet(answer, out)
    out.flush()


def _table(answer: Any, out: Any) -> None:
    from collector.cli.render.answer import tuples
    from collector.cli.render.screen import screen
    from collector.cli.render.table import rows

    console = screen()
    with console.capture() as capture:
        for part in rows(answer.column_names, list(tuples(answer)), console.width):
            console.print(part)
    out.write(capture.get().encode())
