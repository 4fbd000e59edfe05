"""The store out into Parquet files, as it is at one moment, while everything else goes on."""

import contextlib
import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from collector.store import statements
from collector.store.care.exported import MANIFEST, Manifest, Part
from collector.store.care.rewrite import columns, kept
from collector.store.errors import StoreError, Unavailable
from collector.store.file.database import private_files

PARTIAL = ".partial"
"""Ending of a folder that is being written."""

MARK = ".tracegrade-export"
"""Lies in it until then."""

BATCH = 16_384
"""Rows that are in memory at once, and in a row group of a file."""

NO_DAY = "__HIVE_DEFAULT_PARTITION__"
"""What other programs write for a partition without a value."""

_OWN = frozenset({"evidence.about"})
"""Each store has its own."""

_EVIDENCE_DAY = "(SELECT strftime(c.committed_at, '%Y-%m-%d') FROM evidence.commits c WHERE c.seq = t.commit_seq)"
_RUN_DAY = """(
    SELECT any_value(strftime(r.last_arrival, '%Y-%m-%d')) FROM canonical.runs r
    WHERE r.run_id = t.run_id AND r.build = t.build
)"""


def export(cursor: duckdb.DuckDBPyConnection, folder: Path) -> Manifest:
    """Write everything to a new folder; returns what was written. Raises StoreError where the folder holds anything."""
    draft = folder.with_name(folder.name + PARTIAL)
    _make_room(folder, draft)
    try:
        with private_files():
            draft.mkdir(parents=True)
            (draft / MARK).touch()
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            tables = {t: list(_table(cursor, t, draft)) for t in _tables(cursor) if t not in _OWN}
            manifest = Manifest(tables)
            _write(draft / MANIFEST, manifest.written())
        (draft / MARK).unlink()
        _durable(draft)
        with contextlib.suppress(FileNotFoundError):
            folder.rmdir()  # it is empty
        draft.rename(folder)
    except (duckdb.InterruptException, duckdb.ConnectionException):
        raise Unavailable("The store was reopened meanwhile; export again.") from None
    except OSError as error:
        raise StoreError(f"The export to {folder} failed: {error.strerror}.") from None
    finally:
        with contextlib.suppress(duckdb.Error):
            cursor.execute("ROLLBACK")
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


def _make_room(folder: Path, draft: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StoreError(f"{folder} exists and is not empty; name a new folder.")
    if draft.exists():
        if not draft.is_dir() or (any(draft.iterdir()) and not (draft / MARK).exists()):
            raise StoreError(f"{draft} is in the way; remove it.")
        shutil.rmtree(draft)  # an export that was cut short


def _tables(cursor: duckdb.DuckDBPyConnection) -> list[str]:
    return [f"{schema}.{name}" for schema, name in cursor.execute(statements.load()["care/physical"]).fetchall()]


def _table(cursor: duckdb.DuckDBPyConnection, table: str, draft: Path) -> Iterator[Part]:
    """Write the rows of one table; a file a day where it goes by days."""
    held = columns(cursor, table)
    sql = kept(table, held, {})
    params = {name: 0 if name == "upto" else [] for name in statements.parameters(sql)}
    name = table.partition(".")[2]
    day = _day(table, held)
    if day is None:
        yield from _file(cursor, sql, params, draft, f"{name}/part-0.parquet")
        return
    dated = f"SELECT t.*, coalesce({day}, '{NO_DAY}') AS \"day\" FROM ({sql}) t"  # noqa: S608 -- our own statements
    days = cursor.execute(f'SELECT DISTINCT "day" FROM ({dated}) ORDER BY ALL', params).fetchall()  # noqa: S608
    for (one,) in days:
        of_day = f'SELECT * EXCLUDE ("day") FROM ({dated}) WHERE "day" = $one_day'  # noqa: S608
        yield from _file(cursor, of_day, {**params, "one_day": one}, draft, f"{name}/day={one}/part-0.parquet")


def _day(table: str, held: Collection[str]) -> str | None:
    """The expression of a row's arrival day; None for a table that does not go by days."""
    if table in ("evidence.spans", "evidence.logs"):
        return _EVIDENCE_DAY
    schema, _, name = table.partition(".")
    return _RUN_DAY if schema == "canonical" and {"run_id", "build"} <= set(held) and name != "replaced" else None


def _file(
    cursor: duckdb.DuckDBPyConnection, sql: str, params: Mapping[str, object], draft: Path, path: str
) -> Iterator[Part]:
    place, rows = draft / path, 0
    place.parent.mkdir(parents=True, exist_ok=True)
    with cursor.sql(sql, params=dict(params)).to_arrow_reader(BATCH) as reader, place.open("wb") as out:
        with pq.ParquetWriter(out, reader.schema, compression="zstd") as writer:
            for batch in reader:
                writer.write_table(pa.Table.from_batches([batch]))
                rows += batch.num_rows
        out.flush()
        os.fsync(out.fileno())
    yield Part(path, rows)


def _write(place: Path, data: bytes) -> None:
    with place.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def _durable(folder: Path) -> None:
    for place in (*(p for p in folder.rglob("*") if p.is_dir()), folder, folder.parent):
        handle = os.open(place, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
