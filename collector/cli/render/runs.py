"""The list of runs for the terminal."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from collector.cli.render.table import rows
from collector.cli.render.text import duration
from collector.cli.render.tree import STYLES

COLUMNS = ("run", "time", "service", "agent", "status", "calls", "duration", "input")
SHORT = 12
"""Characters of a run's id that are shown; `tracegrade show` takes the beginning of an id."""


def listing(runs: Iterable[dict[str, Any]], width: int) -> Iterator[RenderableType]:
    """A line a run. Times are UTC."""
    return rows(COLUMNS, [_row(run) for run in runs], width)


def _row(run: dict[str, Any]) -> tuple[Any, ...]:
    status = Text(run["status"] + (" (open)" if run["open"] else ""), style=STYLES.get(run["status"], ""))
    took = None if run["seconds"] is None else duration(run["seconds"] * 1e9)
    time = None if run["started"] is None else str(run["started"])[:19]
    return run["run_id"][:SHORT], time, run["service"], run["agent"], status, run["tool_calls"], took, run["input"]
