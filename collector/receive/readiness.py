"""Why the collector takes no data at the moment, as words for /readyz and for the health check (H-19, G-12).

Whoever may stop the intake is a source: something to be asked without waiting, from any thread, that answers with a word
or None. The words are fixed, since a probe relies on them and anybody may send one: they tell no path, version or value.
"""

from collections.abc import Callable
from typing import Literal

Trouble = Literal["stopping", "reopening", "disk_low", "queue_full"]
"""Shutting down; the store's file is being opened again; no room on the disk; more waits than may, or for too long."""

Source = Callable[[], Trouble | None]


class Readiness:
    """Ready while none of its sources names a trouble."""

    def __init__(self, *sources: Source) -> None:
        self._sources = sources

    def trouble(self) -> Trouble | None:
        """The first trouble, in the order of the sources; None: ready."""
        return next((found for source in self._sources if (found := source()) is not None), None)
