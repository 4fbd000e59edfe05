"""`tracegrade delete`: takes out one trace or one conversation for good."""

import sys
from typing import Annotated

import typer

from collector.cli.opening import StoreOption, fail, opened


def delete(
    ctx: typer.Context,
    store: StoreOption = None,
    trace: Annotated[str | None, typer.Option(metavar="ID", help="This trace, by its whole id.")] = None,
    conversation: Annotated[str | None, typer.Option(metavar="ID", help="All traces of this conversation.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, and do nothing.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, for machines.")] = False,
) -> None:
    """Delete a trace or a conversation, and what results, verdicts and notes quote of it. It is refused if sent again."""
    if (trace is None) == (conversation is None):
        fail("Name what to delete: --trace ID or --conversation ID.")
    with opened(ctx, store) as found:
        done = found.maintain({"do": "delete", "trace": trace, "conversation": conversation, "dry_run": dry_run})
    from collector.cli.render.cared import write, write_left

    write(done, sys.stdout, dry_run=dry_run, as_json=json)
    if not json:
        write_left(done, sys.stdout)
