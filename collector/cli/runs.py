"""`tracegrade runs`: the newest runs, a line each."""

from typing import Annotated

import typer

from collector.cli.opening import StoreOption, opened


def runs(
    ctx: typer.Context,
    store: StoreOption = None,
    limit: Annotated[int, typer.Option(min=1, help="How many runs at most.")] = 50,
    service: Annotated[str | None, typer.Option(help="Only runs of this service.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only runs of this agent.")] = None,
    batch: Annotated[str | None, typer.Option(help="Only runs of this batch.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a run, for machines.")] = False,
) -> None:
    """List the newest runs: time, service, agent, status, calls, duration, input."""
    with opened(ctx, store) as found:
        found.settle()
        table = found.query("runs", limit=limit, service=service, agent=agent, batch=batch)
    if json:
        from collector.answer.formats import write_jsonl

        write_jsonl(table.schema, [table], typer.get_binary_stream("stdout"))
        return
    from collector.answer.formats import records
    from collector.cli.render.runs import listing
    from collector.cli.render.screen import screen

    console = screen()
    for part in listing(records(table), console.width):
        console.print(part)
    if not table.num_rows:
        typer.echo("No runs are stored yet.", err=True)
