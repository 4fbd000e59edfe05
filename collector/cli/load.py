"""`tracegrade load`: OTLP files and folders into a store."""

from pathlib import Path
from typing import Annotated

import typer

from collector.cli.opening import StoreOption, opened


def load(
    ctx: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="OTLP files, or folders of them.")],
    store: StoreOption = None,
) -> None:
    """Load OTLP files: protobuf bodies (*.pb), OTLP/JSON and JSON lines, each .gz too. Loading twice changes nothing."""
    from collector.cli.loading import Loading

    with opened(ctx, store, create=True, fills=True) as found:
        loading = Loading(found)
        loading.put(paths)
        loading.settle()
    typer.echo(loading.summary())
    raise typer.Exit(loading.exit_code)
