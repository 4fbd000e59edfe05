"""The answer to a free statement: its bytes in the form that was asked for, and what has to be said about them."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Self

import pyarrow as pa

TRUNCATED = b"truncated"
"""Key of an answer's schema metadata: `true` where rows were left out."""


@dataclass
class Result:
    """Bytes in `file`, to be read once. `batches` and `table` are for answers in Arrow. Close it, or use it in a `with`."""

    file: IO[bytes]
    size: int
    """Bytes in all; -1 where that is not known."""
    rows: int
    truncated: bool
    """Whether rows were left out, since there were more than was asked for."""
    age: float
    """Seconds: what was committed within that time before the answer may be missing from it."""
    release: Callable[[], None] | None = None

    def batches(self) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
        """The columns, and the rows part by part."""
        reader = pa.ipc.open_stream(self.file)
        return reader.schema, iter(reader)

    def table(self) -> pa.Table:
        """All rows; the schema's metadata has `truncated`."""
        schema, batches = self.batches()
        answer = pa.Table.from_batches(batches, schema=schema)
        said: Mapping[bytes, bytes] = {TRUNCATED: b"true"} if self.truncated else {}
        return answer.replace_schema_metadata({**(schema.metadata or {}), **said} or None)

    def close(self) -> None:
        """Give the file back; a second call does nothing."""
        self.file.close()
        if self.release is not None:
            with contextlib.suppress(OSError):
                self.release()
            self.release = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def truncated(answer: Any) -> bool:
    """Whether rows were left out of this table."""
    return (answer.schema.metadata or {}).get(TRUNCATED) == b"true"
