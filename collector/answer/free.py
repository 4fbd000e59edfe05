"""Runs free SQL that passed the gate: read only, with a limit of rows, bytes and time, written out as it goes.

In the cell of a statement (`cell`) that is the whole of it; a store in memory has no file that a cell could read, so
there it runs on a cursor of this process.
"""

import tempfile
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import duckdb
import pyarrow as pa

from collector.answer import formats
from collector.answer.gate import check
from collector.store.errors import RefusedStatement
from collector.store.result import Result

MAX_ROWS = 10_000
MAX_BYTES = 256 << 20
MAX_SECONDS = 10.0
MEMORY = 1 << 30

SPOOLED = 4 << 20
"""Bytes of an answer that are kept in memory; what is longer goes through a temporary file without a name."""

FORMS = {
    "arrow": formats.write_arrow,
    "csv": formats.write_csv,
    "json": formats.write_json,
    "jsonl": formats.write_jsonl,
}
"""What an answer can be written as."""

_BATCH = 2_048


@dataclass(frozen=True)
class Statement:
    """What is asked. `bytes` are those of its rows, `memory` those that answering may take; `age` as in `Store.select`."""

    text: str
    form: str = "arrow"
    rows: int = MAX_ROWS
    seconds: float = MAX_SECONDS
    bytes: int = MAX_BYTES
    memory: int = MEMORY
    age: float = 0.0

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise RefusedStatement(f"There is no form {self.form}; there are {', '.join(FORMS)}.")

    @property
    def late(self) -> str:
        """What is said when it took too long."""
        return f"The statement took longer than {self.seconds:g} seconds and was stopped; read less, for example with WHERE."


TOO_MUCH_MEMORY = (
    "The statement needs more memory than one may take (setting sql_memory_bytes); read less of the store."
)


def answer(cursor: duckdb.DuckDBPyConnection, asked: Statement, relations: Iterable[str], out: BinaryIO) -> "Rows":
    """Write the statement's rows to `out`; how many they were. Raises RefusedStatement."""
    check(asked.text, relations)
    try:
        # Belt and braces: the gate lets no writing statement pass, and a read-only transaction would not carry it out.
        cursor.execute("BEGIN TRANSACTION READ ONLY")
        with cursor.sql(asked.text).to_arrow_reader(_BATCH) as reader:
            rows = Rows(reader, asked)
            FORMS[asked.form](reader.schema, rows, out)
    except duckdb.InterruptException:
        raise RefusedStatement(asked.late) from None
    except (duckdb.OutOfMemoryException, MemoryError, pa.ArrowMemoryError):
        raise RefusedStatement(TOO_MUCH_MEMORY) from None
    except (duckdb.Error, pa.ArrowException) as error:
        raise RefusedStatement(str(error)) from None
    return rows


def run_here(cursor: duckdb.DuckDBPyConnection, asked: Statement, relations: Iterable[str] = ()) -> Result:
    """The answer, made in this process. Raises RefusedStatement; closes the cursor in any case."""
    spool = tempfile.SpooledTemporaryFile(SPOOLED)  # noqa: SIM115 -- the result closes it
    timer = threading.Timer(asked.seconds, cursor.interrupt)
    timer.daemon = True
    timer.start()
    try:
        rows = answer(cursor, asked, relations, spool)  # ty: ignore[invalid-argument-type]
    except BaseException:
        spool.close()
        raise
    finally:
        timer.cancel()
        cursor.close()
    size = spool.tell()
    spool.seek(0)
    return Result(spool, size, rows.count, rows.cut, 0.0)


class Rows:
    """The rows up to the limits; `count` and `cut` tell afterwards how many they were, and whether there were more."""

    def __init__(self, reader: pa.RecordBatchReader, asked: Statement) -> None:
        self._reader, self._asked = reader, asked
        self.count = 0
        self.cut = False

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        size = 0
        for batch in self._reader:
            part = batch.slice(0, self._asked.rows - self.count)
            self.count += part.num_rows
            size += part.nbytes
            yield part
            self.cut = part.num_rows < batch.num_rows or size > self._asked.bytes
            if self.cut:
                return
