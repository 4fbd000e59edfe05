"""An export back into an empty store: into a new file beside it, which takes its place when all of it is there."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from collector.store import statements
from collector.store.care.exported import Manifest, Part
from collector.store.care.rewrite import SUFFIX, replace, sweep
from collector.store.errors import StoreError
from collector.store.extension import Extension
from collector.store.file.database import Database
from collector.store_files import beside


def fill(path: Path, folder: Path, manifest: Manifest, extensions: Sequence[Extension], memory: int) -> None:
    """Put a store with these rows in place of the closed, empty one at `path`. Raises StoreError; then it stays empty."""
    draft = beside(path, SUFFIX)
    sweep(path)
    Database(draft, extensions=extensions, memory_limit=memory).close()  # makes the tables
    try:
        with duckdb.connect(str(draft), config={"memory_limit": f"{memory // 2**20}MiB"}) as new:
            there = {f"{s}.{n}" for s, n in new.execute(statements.load()["care/physical"]).fetchall()}
            if strange := sorted(manifest.tables.keys() - there):
                raise StoreError(f"{folder} holds {strange[0]}, of which this tracegrade knows nothing.")
            for table, parts in manifest.tables.items():
                for part in parts:
                    _insert(new, table, folder, part)
            new.execute("CHECKPOINT")
        replace(draft, path)
    except duckdb.Error as error:
        raise StoreError(f"{folder} does not fit into the store: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise StoreError(f"{folder} could not be loaded: {error.strerror}.") from None
    finally:
        sweep(path)


def _insert(new: duckdb.DuckDBPyConnection, table: str, folder: Path, part: Part) -> None:
    try:
        with pq.ParquetFile(folder / part.path) as file:
            if file.metadata.num_rows != part.rows:
                raise StoreError(f"{folder} is not whole: {part.path} has other rows than {part.rows}.")
            reader = pa.RecordBatchReader.from_batches(file.schema_arrow, _batches(file))
            schema, _, name = table.partition(".")
            new.register("incoming", reader)
            new.execute(f'INSERT INTO "{schema}"."{name}" BY NAME SELECT * FROM incoming')  # noqa: S608 -- a table's name
            new.unregister("incoming")
    except pa.ArrowException:
        raise StoreError(f"{folder} is damaged: {part.path} cannot be read.") from None


def _batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    yield from file.iter_batches(8_192)
