"""`tracegrade config`: the settings in force, and where each came from."""

import sys
from typing import Annotated

import typer

from collector.cli.opening import told


def config(json: Annotated[bool, typer.Option("--json", help="One JSON object, for machines.")] = False) -> None:
    """Show each setting: its value, where that came from (flag, variable, tracegrade.toml, default), what it is."""
    with told():
        from collector import config as settings

        rows = settings.load().rows()
    if json:
        import orjson

        sys.stdout.buffer.write(orjson.dumps({r.name: {"value": r.value, "source": r.source} for r in rows}) + b"\n")
        return
    from collector.cli.render.screen import screen
    from collector.cli.render.table import rows as laid_out

    console, columns = screen(), ("setting", "value", "from", "what it is")
    for part in laid_out(columns, [(r.name, str(r.value), r.source, r.help) for r in rows], console.width):
        console.print(part)
