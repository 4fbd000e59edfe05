"""Free SQL over a store's file, each statement in a process of its own that is killed when it takes too much.

A statement sees what was committed when its cell's reader opened the store: the reader is used again while nothing was
committed since, or while it is as young as the asker allows. The answer is taken in at once, through a
temporary file where it is long, so that whoever reads it slowly keeps no process and no checkpoint waiting.
"""

import socket
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import orjson

from collector.answer import frames
from collector.answer.cell import CHECKING, OPENING
from collector.answer.free import SPOOLED, TOO_MUCH_MEMORY, Statement
from collector.answer.gate import MAX_LENGTH
from collector.answer.root import Root, shared
from collector.store.errors import RefusedStatement, StoreError, Unavailable
from collector.store.file.hold import Hold
from collector.store.result import Result

AT_ONCE = 2
"""Statements that run at the same time; others wait. More would only take memory and time from each other."""

ATTEMPTS = 4
"""How often a statement begins anew because the store was rewritten meanwhile."""

_SLACK = 5.0
"""Seconds after which even the process that kills the others is given up."""

_WRITTEN = 8
_BATCH_BYTES = 64 << 20
"""An answer has at most so many times as many bytes as its rows have in memory, and one batch more: a cell that says more
is not believed."""


class _Stale(Exception):  # noqa: N818 -- a state, which is mended by opening it again
    """What was opened is not the store any more."""


class _Unreadable(StoreError):  # noqa: N818 -- likewise
    """DuckDB does not open it; that may be so for a moment only."""


class _Reader:
    """A process that has the store open as it was. `users` statements run in it."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.users = 0


class Cells:
    """The cells of the store at `path`; `relations` are the views that an extension added. Safe to use from any thread."""

    def __init__(self, path: str, hold: Hold, relations: Iterable[str] = (), root: Root = shared) -> None:
        self._path = str(Path(path).resolve())
        self._hold = hold
        self._root = root
        self._relations = sorted(relations)
        self._lock = threading.Lock()
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self._reader: _Reader | None = None

    def ask(self, asked: Statement) -> Result:
        """The answer. Raises RefusedStatement, and Unavailable where the store is rewritten all the time."""
        problem: Exception = Unavailable("The store is being rewritten; ask again in a moment.")
        since = time.monotonic()
        self._check(asked.text)
        with self._turns, self._hold.reading():
            for attempt in range(ATTEMPTS):
                time.sleep(0.1 * attempt)  # a checkpoint that did not ask has just begun
                try:
                    return self._ask(asked, since)
                except (_Stale, EOFError, OSError):
                    continue
                except _Unreadable as error:
                    problem = error
        raise problem

    def close(self) -> None:
        """Use no reader any more. A second call does nothing."""
        with self._lock:
            self._drop()

    def _check(self, text: str) -> None:
        with self._root.fork() as peer:
            frames.send(peer, {"check": text[: MAX_LENGTH + 1], "relations": self._relations})
            peer.settimeout(CHECKING + _SLACK)
            try:
                _judge(frames.receive(peer))
            except (EOFError, OSError):
                raise RefusedStatement("The statement is too complex to be read.") from None

    def _ask(self, asked: Statement, since: float) -> Result:
        reader, peer = self._begin(asked, since)
        try:
            with peer:
                frames.send(peer, {"statement": asdict(asked), "relations": self._relations})
                peer.settimeout(asked.seconds + _SLACK)
                return self._take(peer, asked)
        finally:
            with self._lock:
                reader.users -= 1
                if not reader.users and reader is not self._reader:
                    reader.control.close()

    def _begin(self, asked: Statement, since: float) -> tuple[_Reader, socket.socket]:
        """A reader that is fresh enough, with one user more, and the socket of a new cell in it."""
        with self._lock:
            for _ in range(2):
                reader = self._reader or self._open(asked.memory)
                self._reader = reader
                peer = frames.order(reader.control, asked.seconds, since, asked.age)
                if peer is not None:
                    reader.users += 1
                    return reader, peer
                self._drop()
        raise _Stale

    def _open(self, memory: int) -> _Reader:
        control = self._root.fork()
        control.settimeout(OPENING + _SLACK)
        frames.send(control, {"path": self._path, "memory": memory})
        said = frames.receive(control)
        if "error" in said:
            control.close()
            raise _Unreadable(f"The store cannot be read: {said['error']}")
        return _Reader(control)

    def _drop(self) -> None:
        """Use this reader for no further statement; it ends with the last one that runs."""
        if self._reader is not None and not self._reader.users:
            self._reader.control.close()
        self._reader = None

    def _take(self, peer: socket.socket, asked: Statement) -> Result:
        spool = tempfile.SpooledTemporaryFile(SPOOLED)  # noqa: SIM115 -- the result closes it
        try:
            begun = time.monotonic()
            try:
                end = _taken_in(peer, spool, asked.bytes * _WRITTEN + _BATCH_BYTES)
            except (EOFError, OSError):
                late = time.monotonic() - begun >= asked.seconds
                raise RefusedStatement(asked.late if late else TOO_MUCH_MEMORY) from None
            _judge(end)
            size = spool.tell()
            spool.seek(0)
            return Result(spool, size, end["rows"], end["truncated"], end["age"])
        except BaseException:
            spool.close()
            raise


def _judge(end: dict[str, Any]) -> None:
    if "stale" in end:
        raise _Stale
    if "refused" in end:
        raise RefusedStatement(end["refused"])


def _taken_in(peer: socket.socket, spool: IO[bytes], most: int) -> dict[str, Any]:
    """Take in the answer; what was said at its end."""
    size = 0
    while True:
        kind, length = frames.FRAME.unpack(frames.exactly(peer, frames.FRAME.size))
        size += length
        if size > most:
            raise RefusedStatement("The answer is too long; read less, for example fewer columns.")
        data = frames.exactly(peer, length)
        if kind == frames.END:
            return orjson.loads(data)
        spool.write(data)
