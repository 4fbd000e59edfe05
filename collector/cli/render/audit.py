"""The audit table for the terminal."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import RenderableType

from collector.cli.render.table import rows

COLUMNS = ("time", "who", "what", "outcome", "rows", "traces", "about", "bytes")
SHORT = 12
"""Characters of a hash or a trace's id that are shown; `--json` has all of them."""


def listing(deeds: Iterable[dict[str, Any]], width: int) -> Iterator[RenderableType]:
    """A line a deed. Times are UTC; a token is called by its name where it has one."""
    return rows(COLUMNS, [_row(deed) for deed in deeds], width)


def _row(deed: dict[str, Any]) -> tuple[Any, ...]:
    about = deed["about_name"] or (deed["about"] and deed["about"][:SHORT])
    counts = deed["row_count"], deed["trace_count"], about, deed["size"]
    return str(deed["at"])[:19], deed["who_name"] or deed["who"], deed["what"], deed["outcome"], *counts
