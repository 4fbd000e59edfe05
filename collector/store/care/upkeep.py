"""A collector that prunes by itself: looks from time to time whether something is too old, or the file too large."""

import logging
import threading
from collections.abc import Callable

from collector.store.care.orders import Care, Cared
from collector.store.errors import StoreError

_log = logging.getLogger(__name__)

DAY = 86_400.0
LOOK = 600.0
"""Seconds between two looks at the file's size."""


class Upkeep:
    """Prunes `care`'s store: at once, then at most once a day by age, and whenever the file is too large.

    So what is older than `keep` seconds is gone a day later at the latest (for less than four days: after a quarter of that).
    `told` hears of what went.
    """

    def __init__(
        self,
        care: Care,
        keep: float | None,
        most: int | None,
        look: float = LOOK,
        told: Callable[[Cared], None] = lambda _done: None,
    ) -> None:
        self._care, self._keep, self._most, self._told = care, keep, most, told
        self._look = min(look, keep / 4) if keep else look
        self._again = min(DAY, keep / 4) if keep else DAY
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tracegrade-upkeep", daemon=True)

    def start(self) -> None:
        """Prune from now on."""
        self._thread.start()

    def close(self) -> None:
        """Stop, after the rewrite that is under way."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        waited = self._again
        while not self._stop.is_set():
            due = waited >= self._again
            if self._prune(self._keep if due else None):
                waited = 0.0 if due else waited
            self._stop.wait(self._look)
            waited += self._look

    def _prune(self, keep: float | None) -> bool:
        """Whether it could be done."""
        try:
            done = self._care.prune(keep, self._most)
        except StoreError as error:
            _log.warning("The store was not pruned: %s", error)
            return False
        except Exception as error:  # noqa: BLE001 -- the thread must outlive it
            _log.error("The store was not pruned: %s", type(error).__name__)
            return False
        if done.traces or done.logs:
            self._told(done)
            _log.info("Pruned %d traces, %d spans, %d log records.", done.traces, done.spans, done.logs)
        return True
