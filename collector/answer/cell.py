"""A cell for free SQL: processes that hold nothing but the store's bytes, one a statement, killed when its time is up.

Three kinds of process, each forked from the one before, so that a statement waits for nothing that can be ready:

    root    has everything imported, and nothing open: environment and folder are empty
    reader  has opened the store as it was at one moment
    cell    answers one statement, confined (`confine`), and ends

Root and reader obey the process that started them (`cells`) through a socket, one order at a time, and end when
that one does.
"""

import contextlib
import io
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from typing import Any

import duckdb
import orjson

from collector.answer import frames, free, gate
from collector.answer.confine import confine
from collector.answer.live import LiveFiles, Replaced
from collector.store.errors import RefusedStatement

CHECKING = 5.0
_CHECK_MEMORY = 256 << 20
"""Seconds and bytes that reading a statement may take: the longest that is taken (100,000 characters) needs 0.8 s."""

_EVERYTHING = """
SELECT now(), current_date, '1:2'::TIME, now()::TIMESTAMP_NS, INTERVAL 1 DAY, 1.5::DECIMAL(9, 2), 'a'::BLOB, [now()],
    {'k': now()}, map([1], ['a']), 'NaN'::DOUBLE, 1::HUGEINT, chr(27), '{"a": 1}'::JSON, strftime(now(), '%c'),
    now() AT TIME ZONE 'Europe/Berlin', regexp_matches('ä', '(?i)Ä'), lower('Ä'), md5('a')
"""
"""A cell cannot open files: what of this is loaded from one (time zones, codecs) is loaded before."""

OPENING = 60
"""Seconds that reading a store's log may take."""

QUICK = 0.25
"""Seconds: where opening the store took no longer it is opened again for each change, whatever age is allowed."""

_GRACE = 0.5
"""DuckDB is asked to stop first; what does not listen is killed this many seconds later."""

_CACHED = 0.75
"""The part of a statement's memory that is the database's: it keeps what it has read up to its limit, and needs a rest to go on
with. With all of it each scan of a column larger than the memory failed (5 million spans: 1.7 GB of attributes)."""

_IDLE = 30.0
"""A reader without work ends after this many seconds: it holds memory, and keeps a replaced file from being freed."""

_LAST = (
    "enable_external_access = false",
    "disabled_filesystems = 'LocalFileSystem'",
    "autoinstall_known_extensions = false",
    "autoload_known_extensions = false",
    "allow_community_extensions = false",
    "allow_persistent_secrets = false",
    "python_enable_replacements = false",
)
"""Settings of X-21 after the store is open, in this order; `temp_directory` comes first, and the lock last."""


def main(control: int) -> None:
    """The root: forks readers until its control socket closes."""
    os.nice(10)  # receivers come first
    warm = duckdb.connect(":memory:", config={"threads": 1})
    for form in free.FORMS:  # what is imported or started late is here now
        free.answer(warm.cursor(), free.Statement(_EVERYTHING, form), (), io.BytesIO())
    warm.close()
    try:
        _obey(socket.socket(fileno=control), _do, lambda _since, _age: True, None)
    finally:
        os.rmdir(os.getcwd())  # noqa: PTH106, PTH109 -- an empty folder that was made for this process


def _obey(
    control: socket.socket,
    begin: Callable[[socket.socket], None],
    ready: Callable[[float, float], bool],
    idle: float | None,
) -> None:
    """Fork a process for each order that `ready` allows; kill those whose time is up; all when the socket closes."""
    children: dict[int, float] = {}
    while True:
        now = time.monotonic()
        for pid in [p for p, until in children.items() if until < now]:
            os.kill(pid, signal.SIGKILL)  # not reaped yet, so the number is still its own
        wait = min(
            [idle or 3600.0, *(max(until - now, 0.01) for until in children.values()), *([1.0] if children else [])]
        )
        asked = select.select([control], [], [], wait)[0]
        _reap(children)
        if not asked:
            if idle and not children:
                return
            continue
        order, handles, _flags, _address = socket.recv_fds(control, frames.ORDER.size, 1)
        if len(order) < frames.ORDER.size or not handles:
            break
        seconds, since, age = frames.ORDER.unpack(order)
        peer = socket.socket(fileno=handles[0])
        if not ready(since, age):
            control.send(frames.STALE)
        elif pid := os.fork():
            children[pid] = now + seconds + _GRACE if seconds else float("inf")
            control.send(frames.YES)
        else:
            control.close()
            _alone(begin, peer)
        peer.close()
    for pid in children:
        os.kill(pid, signal.SIGKILL)


def _alone(begin: Callable[[socket.socket], None], peer: socket.socket) -> None:
    """Run in a new process, and end it whatever happens."""
    with contextlib.suppress(BaseException):
        begin(peer)
    os._exit(0)


def _reap(children: dict[int, float]) -> None:
    with contextlib.suppress(ChildProcessError):
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) > 0:
            children.pop(pid, None)


def _do(peer: socket.socket) -> None:
    asked = frames.receive(peer)
    if "check" in asked:
        _check(peer, asked["check"], asked["relations"])
    else:
        _reader(peer, asked)


def _check(peer: socket.socket, text: str, relations: list[str]) -> None:
    """Say whether a statement may run: what is refused costs nobody the opening of the store."""
    to = peer.detach()
    signal.setitimer(signal.ITIMER_REAL, CHECKING)
    confine(_CHECK_MEMORY, CHECKING)
    try:
        gate.check(text, relations)
        said: dict[str, Any] = {}
    except RefusedStatement as error:
        said = {"refused": str(error)}
    frames.write(to, frames.END, orjson.dumps(said))


def _reader(peer: socket.socket, asked: dict[str, Any]) -> None:
    """Open the store that is named, say so, and fork cells until the socket closes or nobody asks for a while."""
    signal.alarm(OPENING)
    begun = time.monotonic()
    try:
        files = LiveFiles(asked["path"])
        connection = _open(files, asked["memory"])
        files.check()
    except (duckdb.Error, OSError, ValueError) as error:
        frames.send(peer, {"error": _plain(str(error), asked["path"])})
        return
    signal.alarm(0)
    took, complete = time.monotonic() - begun, begun
    frames.send(peer, {})

    def ready(since: float, age: float) -> bool:
        nonlocal complete
        now = time.monotonic()
        try:
            files.check()
        except OSError:
            return False
        if not files.grown():
            complete = now
        return complete >= since or (took > QUICK and now - complete <= age)

    def cell(to: socket.socket) -> None:
        peer.close()
        _answer(to, files, connection, complete, asked["path"])

    _obey(peer, cell, ready, _IDLE)


def _open(files: LiveFiles, memory: int) -> duckdb.DuckDBPyConnection:
    # Blocks have memory of their own and come one by one: else each that is let go for another is given back to the system and
    # asked for anew (a scan of 1.9 GB of attributes with 768 MiB took 6.0 s of the processor, and this way 5.0).
    limit = f"{int(memory * _CACHED) >> 20}MiB"
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": "1",
        "async_threads": "0",
        "temp_directory": "",
        "memory_limit": limit,
        "block_allocator_memory": limit,
        "storage_block_prefetch": "NEVER",
    }
    connection = duckdb.connect(":memory:", config=config)
    connection.register_filesystem(files)
    quoted = files.url.replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS tracegrade (READ_ONLY)")
    connection.execute("USE tracegrade")
    connection.execute("FROM runs LIMIT 0")  # what is loaded by the first read is loaded once, for all cells
    for setting in _LAST:
        connection.execute(f"SET {setting}")
    files.seal()
    return connection


def _answer(
    peer: socket.socket, files: LiveFiles, connection: duckdb.DuckDBPyConnection, complete: float, path: str
) -> None:
    begun = time.monotonic()
    raw = frames.receive(peer)
    asked, relations = free.Statement(**raw["statement"]), raw["relations"]
    connection.execute(f"SET max_execution_time = {int(asked.seconds * 1000)}")
    connection.execute("SET lock_configuration = true")
    signal.setitimer(signal.ITIMER_REAL, asked.seconds + 2 * _GRACE)  # should the reader die before it kills
    confine(asked.memory, asked.seconds)
    to = peer.detach()
    out = io.BufferedWriter(_Frames(to), 1 << 18)
    try:
        rows = free.answer(connection, asked, relations, out)
        out.flush()
        end: dict[str, Any] = {"rows": rows.count, "truncated": rows.cut, "age": begun - complete}
    except RefusedStatement as error:
        try:
            files.check_header()
            end = {"refused": _plain(str(error), path)}
        except Replaced:
            end = {"stale": True}
    except Exception as error:  # noqa: BLE001 -- told without its text: nobody knows what stands in it
        end = {"refused": f"The statement failed ({type(error).__name__})."}
    frames.write(to, frames.END, orjson.dumps(end))


def _plain(text: str, path: str) -> str:
    """An error's text without paths (X-24); of one that our file system raised within DuckDB, the last line alone."""
    if "Traceback" in text:
        text = text.strip().splitlines()[-1]
    return text.replace(path, "the store")


class _Frames(io.RawIOBase):
    """Writes go to the socket as frames."""

    def __init__(self, to: int) -> None:
        self._to = to

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        frames.write(self._to, frames.DATA, data)
        return len(data)
