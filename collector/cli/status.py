"""`tracegrade status`: how a collector does, or what a file holds that nobody serves."""

import sys
from typing import Annotated

import typer

from collector.cli.opening import StoreOption, told


def status(
    ctx: typer.Context,
    store: StoreOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, for machines.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Say nothing: code 0 where a collector takes data, else 1.")
    ] = False,
) -> None:
    """Show whether a collector runs, since when and where, what came and was refused, what waits, what the store holds."""
    with told():
        from collector import config

        place = config.load({"store": store}).settings.store
        if quiet:
            from collector.cli.health import takes_data

            raise typer.Exit(0 if takes_data(place) else 1)
        from collector.cli.opening import extensions
        from collector.cli.standing import standing

        found = standing(place, extensions(ctx))
    if json:
        import orjson

        sys.stdout.buffer.write(orjson.dumps(found) + b"\n")
        return
    from collector.cli.render.screen import screen
    from collector.cli.render.status import lines

    console = screen()
    for line in lines(found):
        console.print(line, soft_wrap=True)
