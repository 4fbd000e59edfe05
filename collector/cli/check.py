"""`tracegrade check`: whether a store is whole, and the way out where it is not."""

from typing import Annotated

import typer

from collector.cli.opening import told

StoreArgument = Annotated[
    str | None, typer.Argument(metavar="[STORE]", help="The store's file. Default: the settings'.")
]


def check(
    store: StoreArgument = None,
    recover: Annotated[bool, typer.Option("--recover", help="Copy it, then keep what can be opened.")] = False,
    json: Annotated[bool, typer.Option("--json", help="JSON lines, for machines.")] = False,
) -> None:
    """Look whether a store is whole: rows, ledger, revisions, statistics, and what was acknowledged. No collector may run.

    Exit code 0: all is well, 1: something is wrong or missing, 2: it could not be looked at.
    """
    with told():
        from collector import config
        from collector.cli.render import checked
        from collector.store.care.checkup import check as look
        from collector.store.care.recovery import recover as way_out

        path = config.load({"store": store}).settings.store
        if recover:
            recovered = way_out(path)
            typer.echo(checked.recovered(path, recovered, as_json=json))
            raise typer.Exit(0 if recovered.found and not recovered.loss else 1)
        worst = "ok"
        for finding in look(path):
            typer.echo(checked.finding(finding, as_json=json))
            worst = "wrong" if finding.state == "wrong" else worst
    raise typer.Exit(1 if worst == "wrong" else 0)
