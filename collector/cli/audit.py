"""`tracegrade audit`: who asked in SQL, exported, deleted, labelled, and made or revoked tokens."""

from typing import Annotated

import typer

from collector.cli.opening import StoreOption, opened


def audit(
    ctx: typer.Context,
    store: StoreOption = None,
    limit: Annotated[int, typer.Option(min=1, help="How many rows, the newest ones.")] = 50,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a row, for machines.")] = False,
) -> None:
    """Show who asked in SQL, exported, deleted, labelled, changed tokens: when, and how many rows; the newest last."""
    with opened(ctx, store) as found:
        from collector.access.audit import AUDIT

        table = found.query(AUDIT, most=limit)
    if json:
        from collector.answer.formats import write_jsonl

        write_jsonl(table.schema, [table], typer.get_binary_stream("stdout"))
        return
    from collector.answer.formats import records
    from collector.cli.render.audit import listing
    from collector.cli.render.screen import screen

    console = screen()
    for part in listing(records(table), console.width):
        console.print(part)
    if not table.num_rows:
        typer.echo("Nothing is in the audit table yet.", err=True)
