"""`tracegrade normalize`: trees that an older version built, built again."""

import sys
from typing import Annotated, Any

import typer

from collector.cli.opening import StoreOption, fail, opened


def normalize(
    ctx: typer.Context,
    store: StoreOption = None,
    every: Annotated[bool, typer.Option("--all", help="All trees, not only those that a changed part made.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing: show what would change, fact by fact.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, for machines.")] = False,
) -> None:
    """Build trees again after an upgrade: those that a changed dialect, or the changed assembler, had a hand in."""
    with opened(ctx, store) as found:
        from collector.cli.rebuilding import compare, outdated, rebuild
        from collector.cli.render.rebuilt import Page

        found.settle()
        page = Page(sys.stdout, diff=diff, as_json=json)
        for outcome in (compare if diff else rebuild)(found, outdated(found, every=every)):
            page.add(outcome)
        page.end()
        left = [] if diff else outdated(found)
    if left:
        _explain(found, len(left))


def _explain(store: Any, left: int) -> None:
    if hasattr(store, "url"):
        fail(
            f"{left} traces still have trees of another version: the collector at {store.url} built them with its own "
            "normalizer. Restart it with this version; it then rebuilds them by itself."
        )
    fail(f"{left} traces could not be built; their old trees stay.")
