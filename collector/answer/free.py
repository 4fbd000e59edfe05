"""Runs free SQL that passed the gate: on a cursor of its own, read only, with a limit of rows, bytes and time."""

import threading
from collections.abc import Iterable

import duckdb
import pyarrow as pa

from collector.answer.gate import check
from collector.store.errors import RefusedStatement

MAX_ROWS = 10_000
MAX_BYTES = 64 << 20
MAX_SECONDS = 10.0

TRUNCATED = b"truncated"
"""Key of an answer's schema metadata: `true` where rows were left out."""

_BATCH = 2_048


def run(
    cursor: duckdb.DuckDBPyConnection,
    text: str,
    relations: Iterable[str] = (),
    *,
    max_rows: int | None = None,
    seconds: float | None = None,
) -> pa.Table:
    """The statement's rows, at most `max_rows`. Raises RefusedStatement; closes the cursor in any case."""
    limit = MAX_SECONDS if seconds is None else seconds
    try:
        check(text, relations)
        timer = threading.Timer(limit, cursor.interrupt)
        timer.daemon = True
        timer.start()
        try:
            return _read(cursor, text, MAX_ROWS if max_rows is None else max_rows)
        finally:
            timer.cancel()
    except duckdb.InterruptException:
        raise RefusedStatement(
            f"The statement took longer than {limit:g} seconds and was stopped; read less, for example with WHERE."
        ) from None
    except duckdb.OutOfMemoryException:
        raise RefusedStatement("The statement needs more memory than the store allows; read less of it.") from None
    except duckdb.Error as error:
        raise RefusedStatement(str(error)) from None
    finally:
        cursor.close()


def truncated(answer: pa.Table) -> bool:
    """Whether rows were left out of this answer."""
    return (answer.schema.metadata or {}).get(TRUNCATED) == b"true"


def _read(cursor: duckdb.DuckDBPyConnection, text: str, max_rows: int) -> pa.Table:
    # Belt and braces: the gate lets no writing statement pass, and a read-only transaction would not carry it out.
    cursor.execute("BEGIN TRANSACTION READ ONLY")
    batches, rows, size, cut = [], 0, 0, False
    with cursor.sql(text).to_arrow_reader(_BATCH) as reader:
        schema = reader.schema
        for batch in reader:
            part = batch.slice(0, max_rows - rows)
            batches.append(part)
            rows, size = rows + part.num_rows, size + part.nbytes
            cut = part.num_rows < batch.num_rows or size > MAX_BYTES
            if cut:
                break
    answer = pa.Table.from_batches(batches, schema=schema)
    return answer.replace_schema_metadata({TRUNCATED: b"true"}) if cut else answer
