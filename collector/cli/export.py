"""`tracegrade export`: the whole store as Parquet files, by arrival day."""

from pathlib import Path
from typing import Annotated

import typer

from collector.cli.opening import StoreOption, opened


def export(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is new or empty.")],
    store: StoreOption = None,
) -> None:
    """Write spans, logs, trees and gradings to Parquet files, by arrival day. `load DIR` makes a store of them again."""
    with opened(ctx, store) as found:
        found.settle()
        rows = found.maintain({"do": "export", "folder": str(folder.resolve())})["rows"]
    spans, logs = rows.get("evidence.spans", 0), rows.get("evidence.logs", 0)
    typer.echo(
        f"Exported {spans:,} spans, {logs:,} log records and {rows.get('canonical.runs', 0):,} runs to {folder}."
    )
