"""Who builds trees: this process, or a worker process of its own, so that receiving keeps its core and its lock."""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Protocol

import pyarrow as pa

from collector.store.changes import Built

Build = Callable[[pa.Table, pa.Table], Built]
"""From all spans and all log records of whole traces to their trees: a pure function, importable by name."""


class Builder(Protocol):
    """Runs the normalizer somewhere."""

    def build(self, spans: pa.Table, logs: pa.Table) -> Built:
        """Build the trees of whole traces. Raises what the normalizer raises."""
        ...

    def close(self) -> None:
        """End what was started."""
        ...


def normalize(spans: pa.Table, logs: pa.Table) -> Built:
    """The normalizer, imported at the first use: a store that is only read does without it."""
    from collector.normalize import build  # noqa: PLC0415

    return build(spans, logs)


class Here:
    """Builds in this process."""

    def __init__(self, build: Build = normalize) -> None:
        self._build = build

    def build(self, spans: pa.Table, logs: pa.Table) -> Built:
        """Build the trees of whole traces."""
        return self._build(spans, logs)

    def close(self) -> None:
        """Nothing was started."""


class Worker:
    """Builds in one worker process, started at the first use and again after it died."""

    def __init__(self, build: Build = normalize) -> None:
        self._build = build
        self._pool: ProcessPoolExecutor | None = None

    def build(self, spans: pa.Table, logs: pa.Table) -> Built:
        """Build in the worker; where it died (out of memory, say) once more in a fresh one."""
        try:
            return self._submit(spans, logs)
        except BrokenProcessPool:
            self.close()
            return self._submit(spans, logs)

    def close(self) -> None:
        """End the worker."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _submit(self, spans: pa.Table, logs: pa.Table) -> Built:
        if self._pool is None:
            # Spawned, never forked: a fork would copy the database's threads in an unknown state.
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_prepare)
        return self._pool.submit(self._build, spans, logs).result()


def _prepare() -> None:
    """Leave the signals of the terminal to the collector, and the processor to receiving; never outlive the collector."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(10)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker whose collector was killed would else wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
