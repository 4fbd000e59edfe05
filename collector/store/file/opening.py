"""From an error of DuckDB at opening to what a person can do about it."""

import os
import re
from pathlib import Path

import duckdb

from collector.store import statements
from collector.store.errors import Damaged, NotAStore, StoreError, StoreInUse
from collector.store.file.blocks import HEADERS, holes, spoiled
from collector.store.file.highwater import Loss
from collector.store_files import ASIDE, MARK, MEMORY, beside

ROW_GROUP = 16_384
"""Rows in each piece of a table's columns; DuckDB's own choice is 122,880. A log brings about as many (`WriterLimits`),
so that a checkpoint leaves whole ones and none is written again to merge it: merging costs 15 µs a row, and with pieces of
122,880 the first pause after five million spans went into it: exports were refused for over half a minute (measured). The file
is 3 % larger, scans are as quick."""

_NAME = "store"
"""What the database is called on our connections."""

Settings = dict[str, str | bool | int | float | list[str]]
"""DuckDB's own settings."""

_NOT_WHOLE = (
    "Corrupt",
    "checksum",
    "replaying WAL",
    "Could not read enough bytes",
    "WAL file",
    "Serialization",
    "INTERNAL",
)


def connect(path: str, settings: Settings, *, in_part: bool = False) -> duckdb.DuckDBPyConnection:
    """Open a file so that closing it again leaves it and its log as they are. Raises StoreError, ready to be shown.

    DuckDB opens a file that was cut behind its first blocks, also where it has grown again, and fails when it reads the others:
    that is looked at here, but for whoever is content with a part.
    """
    try:
        connection = duckdb.connect(path, config=settings) if path == MEMORY else _attached(path, settings)
    except duckdb.Error as error:
        raise explained(path, error) from None
    try:
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        missing = 0 if in_part or path == MEMORY else _missing(connection, Path(path).stat())
    except duckdb.Error as error:
        connection.close()
        raise explained(path, error) from None
    if missing:
        connection.close()
        raise Damaged(f"{path} was cut: it lacks {missing:,} of the blocks that its tables use. {advice(path)}")
    return connection


def _attached(path: str, settings: Settings) -> duckdb.DuckDBPyConnection:
    """The file, opened in the only way in which it can be told how large row groups are to be."""
    outside = "enable_external_access"
    inside = {name: value for name, value in settings.items() if name != outside}
    inside["temp_directory"] = str(beside(path, ASIDE))  # else it were `.tmp` in whatever folder the process is in
    connection = duckdb.connect(":memory:", config=inside)
    try:
        quoted = path.replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS {_NAME} (TYPE duckdb, ROW_GROUP_SIZE {ROW_GROUP})")
        if outside in settings:
            connection.execute(f"SET {outside} = {settings[outside]}")
        connection.execute(f"USE {_NAME}")
    except duckdb.Error:
        connection.close()
        raise
    return connection


def cursor_of(connection: duckdb.DuckDBPyConnection, path: str) -> duckdb.DuckDBPyConnection:
    """Another connection to what `connect` opened at this path."""
    cursor = connection.cursor()
    if path != MEMORY:
        cursor.execute(f"USE {_NAME}")
    return cursor


def block_size(connection: duckdb.DuckDBPyConnection) -> int:
    """Bytes of one block of the file."""
    return connection.execute(statements.load()["ledger/size"]).fetchall()[0][0]


def least_size(connection: duckdb.DuckDBPyConnection) -> int:
    """Bytes that the file has after a checkpoint: it is neither shorter nor longer then (see `blocks`)."""
    size, number = connection.execute(statements.load()["ledger/size"]).fetchall()[0]
    return HEADERS + size * number


def _missing(connection: duckdb.DuckDBPyConnection, file: os.stat_result) -> int:
    """Blocks that a table uses and that are not in the file; its header counts such as are free, too."""
    sql, size = statements.load(), block_size(connection)
    identity = file.st_dev, file.st_ino
    lost = {"there": max(file.st_size - HEADERS, 0) // size, "spoiled": spoiled(identity, holes(identity), size)}
    missing = connection.execute(sql["ledger/missing"], lost).fetchall()[0][0]
    for schema, name in connection.execute(sql["check/tables"]).fetchall():
        table = f'"{schema}"."{name}"'
        missing += connection.execute(sql["ledger/missing_of"], {"table": table} | lost).fetchall()[0][0]
    return missing


def explained(path: str, error: duckdb.Error) -> StoreError:
    """The error to raise where a file cannot be opened."""
    message = str(error)
    if "Conflicting lock" in message:
        holder = re.search(r"PID (\d+)", message)
        who = f"the process {holder[1]}" if holder else "another process"
        return StoreInUse(
            f"{path} is in use by {who}. If that is a tracegrade collector, name its address with --store; "
            "else wait until it ends."
        )
    if not Path(path).parent.exists():
        return NotAStore(f"{path} cannot be opened: its folder does not exist.")
    if "version number" in message or "newer version" in message:
        return NotAStore(
            f"{path} was written by another version of DuckDB than this tracegrade has. Upgrade tracegrade, or name another "
            "file with --store."
        )
    if "not a valid DuckDB database" in message:
        return _no_database(path)
    if any(sign in message for sign in _NOT_WHOLE) or isinstance(error, duckdb.InternalException):
        return Damaged(f"{path} or its log is damaged: {_first_line(message)} {advice(path)}")
    return NotAStore(f"{path} cannot be opened: {_first_line(message)}")


def lost(path: str, loss: Loss) -> Damaged:
    """The error to raise where less is in the file than was acknowledged."""
    anew = "" if Path(path).exists() else f" If you deleted it to start anew, delete {beside(path, MARK)}, too."
    return Damaged(f"{path}: {loss}. {advice(path)}{anew}")


def advice(path: str) -> str:
    """The way out of damage."""
    return (
        f"Nothing was changed. `tracegrade check {path}` says more; `tracegrade check --recover {path}` keeps a copy of "
        "what is there and goes on with what can be read."
    )


def _no_database(path: str) -> NotAStore:
    if beside(path, MARK).exists():
        return Damaged(f"{path} is no DuckDB database any more: it was overwritten or cut. {advice(path)}")
    return NotAStore(f"{path} is not a DuckDB database; name another file with --store.")


def _first_line(message: str) -> str:
    return message.splitlines()[0].rstrip(".") + "."
