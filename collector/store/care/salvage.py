"""What can still be read of a file with unreadable blocks, copied into a new file row range by row range."""

import contextlib
from pathlib import Path

import duckdb

from collector.store import statements
from collector.store.file.database import private_files
from collector.store.file.opening import Settings
from collector.store_files import LOG, beside

SUFFIX = ".salvage"
SMALLEST = 2048
"""Rows that are given up together: DuckDB reads no fewer at once."""

_MEND = """
INSERT INTO evidence.commits (seq, committed_at, spans, logs, duplicates)
SELECT n, NULL, 0, 0, 0
FROM range(1, coalesce((
    SELECT max(seq) FROM (
        SELECT seq FROM evidence.commits UNION ALL SELECT commit_seq FROM evidence.spans
        UNION ALL SELECT commit_seq FROM evidence.logs
    )
), 0)::BIGINT + 1) t(n)
WHERE NOT EXISTS (FROM evidence.commits c WHERE c.seq = n);
UPDATE evidence.commits SET spans = s.n FROM (
    SELECT c.seq, count(r.commit_seq) AS n
    FROM evidence.commits c LEFT JOIN evidence.spans r ON r.commit_seq = c.seq GROUP BY ALL
) s WHERE s.seq = commits.seq;
UPDATE evidence.commits SET logs = s.n FROM (
    SELECT c.seq, count(r.commit_seq) AS n
    FROM evidence.commits c LEFT JOIN evidence.logs r ON r.commit_seq = c.seq GROUP BY ALL
) s WHERE s.seq = commits.seq;
INSERT INTO evidence.arrivals (seq, trace_id)
SELECT commit_seq, trace_id FROM evidence.spans UNION SELECT commit_seq, trace_id FROM evidence.logs WHERE trace_id IS NOT NULL
EXCEPT SELECT seq, trace_id FROM evidence.arrivals;
DELETE FROM evidence.superseded r WHERE NOT EXISTS (
    FROM evidence.spans s WHERE s.commit_seq = r.commit_seq AND s.commit_row = r.commit_row AND EXISTS (
        FROM evidence.spans richer
        LEFT JOIN evidence.superseded other ON other.commit_seq = richer.commit_seq AND other.commit_row = richer.commit_row
        WHERE richer.trace_id = s.trace_id AND richer.span_id = s.span_id AND other.commit_row IS NULL
    )
);
"""
"""What refers to rows that are lost is put right: the ledger counts what is left, every trace is found, and of each span one
revision is read. (A change of rows, which is for maintenance alone.)"""

_SETTINGS: Settings = {"checkpoint_threshold": "1TiB", "preserve_insertion_order": "true"}


def unreadable(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """By table that cannot be read in full, what the database says; every value is read once."""
    bad = {}
    for schema, name in connection.execute(statements.load()["check/tables"]).fetchall():
        try:
            connection.execute(f'SELECT bit_xor(hash(t)) FROM "{schema}"."{name}" t').fetchall()  # noqa: S608 -- a table's name
        except duckdb.Error as error:
            bad[f"{schema}.{name}"] = str(error).splitlines()[0]
    return bad


def salvage(path: Path) -> dict[str, int]:
    """Put a file with what can be read in the place of the closed store at `path`; lost rows by table.

    Raises duckdb.Error where not even its tables can be listed; then the old file stays. Its log is read, too.
    """
    draft = beside(path, SUFFIX)
    log = beside(path, LOG)
    draft.unlink(missing_ok=True)
    try:
        with private_files(), duckdb.connect(str(draft), config=_SETTINGS) as new:
            lost = _copy(new, path)
            new.execute(_MEND)
            new.execute("CHECKPOINT")
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    log.unlink(missing_ok=True)
    draft.replace(path)
    return {name: rows for name, rows in lost.items() if rows}


def _copy(new: duckdb.DuckDBPyConnection, path: Path) -> dict[str, int]:
    own = new.execute("SELECT current_database()").fetchall()[0][0]
    quoted = str(path).replace("'", "''")
    new.execute(f"ATTACH '{quoted}' AS before (READ_ONLY)")
    new.execute(f'COPY FROM DATABASE before TO "{own}" (SCHEMA)')
    lost = {}
    for schema, name in new.execute(statements.load()["check/tables"]).fetchall():
        old, target = f'before."{schema}"."{name}"', f'"{own}"."{schema}"."{name}"'
        rows = new.execute(f"SELECT count(*) FROM {old}").fetchall()[0][0]  # noqa: S608 -- a table's name
        lost[f"{schema}.{name}"] = rows - _copied(new, old, target, 0, rows)
    new.execute("DETACH before")
    return lost


def _copied(new: duckdb.DuckDBPyConnection, old: str, target: str, low: int, high: int) -> int:
    """Copy these rows, the readable ones among them where not all can be read; how many."""
    if low >= high:
        return 0
    try:
        sql = f"INSERT INTO {target} BY NAME SELECT * FROM {old} WHERE rowid >= {low} AND rowid < {high}"  # noqa: S608 -- a table's name
        return new.execute(sql).fetchall()[0][0]
    except duckdb.FatalException:
        raise
    except duckdb.Error:
        with contextlib.suppress(duckdb.Error):
            new.execute("ROLLBACK")
        if high - low <= SMALLEST:
            return 0
        middle = low + max((high - low) // 2 // SMALLEST, 1) * SMALLEST
        return _copied(new, old, target, low, middle) + _copied(new, old, target, middle, high)
