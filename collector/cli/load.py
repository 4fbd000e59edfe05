"""`tracegrade load`: OTLP files and folders into a store."""

from pathlib import Path
from typing import Annotated

import typer

from collector.cli.opening import StoreOption, fail, opened


def load(
    ctx: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="OTLP files, or folders of them.")],
    store: StoreOption = None,
) -> None:
    """Load OTLP files: protobuf bodies (*.pb), OTLP/JSON and JSON lines, each .gz too. Loading twice changes nothing."""
    from collector.cli.loading import Loading

    with opened(ctx, store, create=True) as found:
        if not hasattr(found, "ingest"):
            fail("A running collector has this store open: stop it first, or send the files to its port.")
        loading = Loading(found)
        loading.put(paths)
        found.settle()
    typer.echo(loading.summary())
    if loading.unreadable:
        raise typer.Exit(2)
