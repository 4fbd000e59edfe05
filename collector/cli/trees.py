"""`tracegrade trees`: the trees of OTLP files, through a throw-away store."""

from pathlib import Path
from typing import Annotated

import typer

from collector.cli.opening import MessagesOption, told


def trees(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="OTLP files, or folders of them.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a run, for machines.")] = False,
    messages: MessagesOption = False,
) -> None:
    """Show the trees of OTLP files and folders without keeping anything."""
    with told():
        from collector.answer.local import LocalStore
        from collector.cli.conversations import filled
        from collector.cli.loading import Loading
        from collector.cli.render.trees import write
        from collector.tree_text import from_json

        with LocalStore(":memory:") as store:
            loading = Loading(store)
            loading.put(paths)
            loading.settle()
            found = map(from_json, store.query("trees")["tree"].to_pylist())
            write(filled(store, found) if messages or json else found, as_json=json, messages=messages)
    raise typer.Exit(loading.exit_code)
