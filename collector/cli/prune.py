"""`tracegrade prune`: takes out what is too old, or too much, and frees the file."""

import sys
from typing import Annotated

import typer

from collector.cli.opening import StoreOption, fail, opened, told


def prune(
    ctx: typer.Context,
    store: StoreOption = None,
    keep: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Keep runs that got evidence in this time: 30d. Default: setting keep."),
    ] = None,
    max_bytes: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Largest file: 10GB; the oldest runs go. Default: setting keep_bytes."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, and do nothing.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, for machines.")] = False,
) -> None:
    """Take out runs that are too old, or the oldest of too many. Really frees and erases: the file is written anew."""
    with told():
        from collector import amounts, config

        try:
            amounts.size(max_bytes or "0")
        except ValueError as wrong:
            fail(f"--max-bytes: {wrong}.")
        settings = config.load({"keep": keep, "keep_bytes": max_bytes}).settings
        if not settings.keep and not settings.keep_bytes:
            fail("Say what to keep: --keep 30d, --max-bytes 10GB, or the settings keep and keep_bytes.")
        order = {
            "do": "prune",
            "keep": amounts.seconds(settings.keep) if settings.keep else None,
            "most": amounts.size(settings.keep_bytes) if settings.keep_bytes else None,
            "dry_run": dry_run,
        }
    with opened(ctx, store) as found:
        done = found.maintain(order)
    from collector.cli.render.cared import write

    write(done, sys.stdout, dry_run=dry_run, as_json=json)
