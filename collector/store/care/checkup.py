"""Whether a store is whole: what it holds against its ledger, its mark and its own statistics. Nothing is changed."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import duckdb

from collector.store import statements
from collector.store.care.salvage import unreadable
from collector.store.errors import Damaged, NotAStore
from collector.store.file.database import CLOSED, progress
from collector.store.file.highwater import HighWater, Loss, Mark
from collector.store.file.opening import connect
from collector.store.version import SCHEMA_VERSION
from collector.store.writing import spool

State = Literal["ok", "note", "wrong"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    about: str
    state: State
    text: str


def check(path: str) -> Iterator[Finding]:
    """Look at everything, one finding after the other. Raises StoreInUse, and NotAStore for what is none of ours."""
    high_water = HighWater(path)
    mark = high_water.read()
    yield from _spooled(spool.read(path))
    if not Path(path).exists():
        if not mark:
            raise NotAStore(f"There is no store {path}.")
        yield Finding("file", "wrong", f"it is gone; by its mark {_amount(mark)} were acknowledged")
        return
    try:
        connection = connect(path, CLOSED)
    except Damaged as error:
        yield Finding("file", "wrong", str(error))
        return
    with contextlib.closing(connection):
        try:
            found = progress(connection)
        except duckdb.Error as error:
            yield Finding("file", "wrong", f"it opens, but its ledger cannot be read: {str(error).splitlines()[0]}")
            return
        if found is None and not mark:
            raise NotAStore(f"{path} is a DuckDB database but not a tracegrade store; name another file.")
        yield Finding("file", "ok", "it opens, and its log can be read")
        yield _against_mark(mark, found, high_water.loss(found))
        if found is not None:
            yield from _inside(connection)


def _spooled(found: spool.Waiting) -> Iterator[Finding]:
    """Only where something waits there, as after a kill."""
    if found.unreadable:
        yield Finding("spool", "wrong", f"{found.unreadable:,} bytes of what was answered last cannot be read")
    if found.records:
        waiting = f"{found.rows('spans'):,} spans and {found.rows('logs'):,} log records"
        yield Finding("spool", "note", f"{waiting} were answered and are to be committed by the next start")


def _inside(connection: duckdb.DuckDBPyConnection) -> Iterator[Finding]:
    for look in (_version, _readable, _ledger, _rows, _revisions, _arrivals, _statistics):
        try:
            yield look(connection)
        except duckdb.Error as error:
            about = look.__name__.strip("_")
            yield Finding(about, "wrong", f"it cannot be looked at: {str(error).splitlines()[0]}")
            if isinstance(error, duckdb.FatalException | duckdb.InternalException):
                return  # nothing answers any more


def _against_mark(mark: Mark | None, found: Mark | None, loss: Loss | None) -> Finding:
    if mark is None:
        return Finding("mark", "note", "there is none beside the file: a loss before this moment cannot be told")
    if loss is not None:
        return Finding("mark", "wrong", str(loss))
    ahead = found.seq - mark.seq if found else 0
    more = f"; {ahead:,} commits more are in the file" if ahead else ""
    return Finding("mark", "ok", f"all is there that was acknowledged: {_amount(mark)}{more}")


def _version(connection: duckdb.DuckDBPyConnection) -> Finding:
    rows = connection.execute(statements.load()["ledger/about"]).fetchall()
    versions = sorted({value for key, value in rows if key == "schema_version"})
    right = versions == [str(SCHEMA_VERSION)]
    text = f"schema {', '.join(versions) or 'unknown'}"
    return Finding("version", "ok" if right else "wrong", text if right else f"{text}; this is schema {SCHEMA_VERSION}")


def _readable(connection: duckdb.DuckDBPyConnection) -> Finding:
    """Every value is read once, so that every block's checksum is compared."""
    bad = unreadable(connection)
    if bad:
        listed = "; ".join(f"{table} ({why})" for table, why in bad.items())
        return Finding("readable", "wrong", f"these tables cannot be read in full: {listed}")
    return Finding("readable", "ok", "all tables were read in full")


def _ledger(connection: duckdb.DuckDBPyConnection) -> Finding:
    missing, repeated = _one(connection, "check/ledger")
    return _counted(
        "ledger", "every commit stands in it once", {"commits are missing": missing, "stand twice": repeated}
    )


def _rows(connection: duckdb.DuckDBPyConnection) -> Finding:
    beyond, fewer = _one(connection, "check/rows")
    counts = {"more than the ledger says": beyond, "fewer than the ledger says": fewer}
    return _counted("rows", "spans and logs are as many as the ledger says", counts)


def _revisions(connection: duckdb.DuckDBPyConnection) -> Finding:
    twice, ambiguous, dangling = _one(connection, "check/revisions")
    counts = {
        "are stored twice": twice,
        "spans have not exactly one revision that is read": ambiguous,
        "notes of poorer revisions lead nowhere": dangling,
    }
    return _counted("revisions", "no span is stored twice, and of each one revision is read", counts)


def _arrivals(connection: duckdb.DuckDBPyConnection) -> Finding:
    (unknown,) = _one(connection, "check/arrivals")
    return _counted(
        "arrivals", "every trace is found through them", {"traces of a commit are unknown to them": unknown}
    )


def _statistics(connection: duckdb.DuckDBPyConnection) -> Finding:
    """Rows found through the table's statistics against rows found by looking at each (T-32)."""
    sql = statements.load()
    traces = [trace for (trace,) in connection.execute(sql["check/sample"]).fetchall()]
    scanned = dict(connection.execute(sql["check/by_scan"], {"traces": traces}).fetchall())
    filtered = {t: connection.execute(sql["check/by_filter"], {"trace": t}).fetchall()[0][0] for t in traces}
    wrong = sum(scanned.get(trace) != number for trace, number in filtered.items())
    good = f"for {len(traces)} traces a filter finds the rows that a full scan finds"
    return _counted("statistics", good, {"traces are found in part only": wrong})


def _one(connection: duckdb.DuckDBPyConnection, name: str) -> tuple[Any, ...]:
    return connection.execute(statements.load()[name]).fetchall()[0]


def _counted(about: str, good: str, bad: dict[str, int]) -> Finding:
    said = [f"{number:,} {what}" for what, number in bad.items() if number]
    return Finding(about, "wrong" if said else "ok", "; ".join(said) or good)


def _amount(mark: Mark) -> str:
    return f"{mark.seq:,} commits with {mark.spans:,} spans and {mark.logs:,} log records"
