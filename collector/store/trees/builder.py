"""Who builds trees: this process, or a worker process of its own, so that receiving keeps its core and its lock."""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Protocol

import pyarrow as pa

from collector.store.trees.changes import Built
from collector.store.trees.parcel import Parcel, pack, unpack

NICE = 5
"""How far the worker stands back behind receiving (0: not at all, 19: as far as it can): a third of a full share of a core.

With 10 (a tenth) it starves wherever others use the cores: trees came after 26 s instead of 18 in one run beside other work.
"""

Build = Callable[[pa.Table, pa.Table], Built]
"""From all spans and all log records of whole traces to their trees: a pure function, importable by name."""


class Building(Protocol):
    """Trees that are being built."""

    def result(self) -> Built:
        """The trees, when they are there. Raises what the normalizer raised."""
        ...

    def cancel(self) -> object:
        """Do not begin any more, if it has not begun."""
        ...


class Builder(Protocol):
    """Runs the normalizer somewhere."""

    def start(self, spans: pa.Table, logs: pa.Table) -> Building:
        """Begin to build the trees of whole traces, after what was started before."""
        ...

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

    def start(self, spans: pa.Table, logs: pa.Table) -> Building:
        """Build at once: nothing goes on beside."""
        building: Future[Built] = Future()
        try:
            building.set_result(self._build(spans, logs))
        except Exception as error:  # noqa: BLE001 -- it is for whoever asks for the result
            building.set_exception(error)
        return building

    def build(self, spans: pa.Table, logs: pa.Table) -> Built:
        """Build the trees of whole traces."""
        return self._build(spans, logs)

    def close(self) -> None:
        """Nothing was started."""


class Worker:
    """Builds in one worker process, started at the first use and again after it died.

    Used by one thread at a time.
    """

    def __init__(self, build: Build = normalize) -> None:
        self._build = build
        self._pool: ProcessPoolExecutor | None = None

    def start(self, spans: pa.Table, logs: pa.Table) -> Building:
        """Hand over to the worker, which builds one after the other."""
        return _Away(self, pack(spans), pack(logs))

    def build(self, spans: pa.Table, logs: pa.Table) -> Built:
        """Build in the worker; where it died (out of memory, say) once more in a fresh one."""
        return self.start(spans, logs).result()

    def close(self) -> None:
        """End the worker."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def submit(self, spans: bytes, logs: bytes) -> "tuple[ProcessPoolExecutor, Future[Parcel]]":
        """Hand over packed tables, to a fresh worker where there is none."""
        for _ in range(2):
            if self._pool is None:
                # Spawned, never forked: a fork would copy the database's threads in an unknown state.
                self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_prepare)
            pool = self._pool
            try:
                return pool, pool.submit(_build_packed, self._build, spans, logs)
            except BrokenProcessPool:
                self.replace(pool)
        raise BrokenProcessPool("The worker process cannot be started.")

    def replace(self, pool: ProcessPoolExecutor) -> None:
        """This worker died: the next is a fresh one, unless there is one already."""
        if pool is self._pool:
            self.close()


class _Away:
    """Trees that the worker builds; where it died they are built once more in a fresh one."""

    def __init__(self, worker: Worker, spans: bytes, logs: bytes) -> None:
        self._worker = worker
        self._evidence = (spans, logs)
        self._pool, self._future = worker.submit(*self._evidence)

    def result(self) -> Built:
        try:
            return self._future.result().open()
        except BrokenProcessPool:
            self._worker.replace(self._pool)
        self._pool, self._future = self._worker.submit(*self._evidence)
        try:
            return self._future.result().open()
        except BrokenProcessPool:
            self._worker.replace(self._pool)
            raise

    def cancel(self) -> bool:
        return self._future.cancel()


def _build_packed(build: Build, spans: bytes, logs: bytes) -> Parcel:
    return Parcel.of(build(unpack(spans), unpack(logs)))


def _prepare() -> None:
    """Leave the signals of the terminal to the collector, and the processor to receiving; never outlive the collector."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker whose collector was killed would else wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
