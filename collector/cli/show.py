"""`tracegrade show`: runs as trees."""

from typing import Annotated, Any

import typer

from collector.cli.opening import MessagesOption, StoreOption, fail, opened


def show(
    ctx: typer.Context,
    run: Annotated[str, typer.Argument(metavar="ID", help="A trace id, a run id, or the beginning of either.")],
    store: StoreOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a run, for machines.")] = False,
    messages: MessagesOption = False,
) -> None:
    """Show a run: its jobs, their calls with what went in and came out, approvals, and what was not captured."""
    with opened(ctx, store) as found:
        trees = _find(found, run)
        if messages or json:
            from collector.cli.conversations import filled

            trees = list(filled(found, trees))
    if not trees:
        fail(f"No run or trace begins with {run}. `tracegrade runs` lists the runs.")
    from collector.cli.render.trees import write

    write(trees, as_json=json, messages=messages)


def _find(store: Any, run: str) -> list[Any]:
    """The trees that the id means, up to date; what was never settled cannot be found by a prefix, so settle all."""
    from collector.tree_text import from_json

    store.settle([run])
    for settle in (True, False):
        if table := store.query("run", id=run) or store.query("run_beginning", id=run):
            return [from_json(text) for text in table["tree"].to_pylist()]
        if settle:
            store.settle()
    return []
