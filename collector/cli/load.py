"""`tracegrade load`: OTLP files and folders into a store."""

from pathlib import Path
from typing import Annotated, Any

import typer

from collector.cli.opening import StoreOption, fail, opened


def load(
    ctx: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="OTLP files, or folders of them.")],
    store: StoreOption = None,
) -> None:
    """Load OTLP files: protobuf bodies (*.pb), OTLP/JSON and JSON lines, each .gz too; or an export.

    Loading twice changes nothing.
    """
    from collector.cli.loading import Loading
    from collector.store.care.exported import is_export

    with opened(ctx, store, create=True, fills=True) as found:
        if any(map(is_export, paths)):
            typer.echo(_fill(found, paths))
            return
        loading = Loading(found)
        loading.put(paths)
        loading.settle()
    typer.echo(loading.summary())
    raise typer.Exit(loading.exit_code)


def _fill(store: Any, paths: list[Path]) -> str:
    """An export into an empty store."""
    if len(paths) > 1:
        fail("An export is loaded alone, into an empty store: name one folder.")
    rows = store.maintain({"do": "fill", "folder": str(paths[0].resolve())})["rows"]
    spans, logs = rows.get("evidence.spans", 0), rows.get("evidence.logs", 0)
    return f"Loaded {spans:,} spans and {logs:,} log records with all that was made of them."
