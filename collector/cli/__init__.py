"""The collector's commands, one file each and thin: what is shown is made in `render`, what is done elsewhere.

What is heavy (DuckDB, Arrow, gRPC, rich) is imported inside the commands, so that `tracegrade --help` answers at once.
A program that mounts these commands may set `ctx.obj` to the extensions to open stores with.
"""

import typer

from collector.cli.audit import audit
from collector.cli.check import check
from collector.cli.config import config
from collector.cli.delete import delete
from collector.cli.export import export
from collector.cli.instrument import instrument
from collector.cli.load import load
from collector.cli.normalize import normalize
from collector.cli.prune import prune
from collector.cli.runs import runs
from collector.cli.serve import serve
from collector.cli.show import show
from collector.cli.sql import sql
from collector.cli.status import status
from collector.cli.token import token
from collector.cli.trees import trees

_ORDER = (
    serve,
    status,
    instrument,
    load,
    runs,
    show,
    sql,
    trees,
    normalize,
    check,
    prune,
    delete,
    export,
    audit,
    config,
)
"""In the order in which help lists them: as one meets them."""

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
for command in _ORDER:
    app.command()(command)
app.add_typer(token, name="token")
commands = app
"""The name by which `collector` offers them."""
