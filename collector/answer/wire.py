"""What the read endpoint and its client say to each other: requests as JSON, answers as bytes with headers, errors by name."""

import base64
from collections.abc import Callable, Mapping
from email.message import Message
from typing import IO

import pyarrow as pa

from collector.store import errors
from collector.store.result import Result

ARROW = "application/vnd.apache.arrow.stream"

TYPES = {"arrow": ARROW, "csv": "text/csv", "json": "application/json", "jsonl": "application/jsonl"}
"""Media types of what free SQL can be answered in. A request names one as `form`, in `?format=`, or with Accept."""

ROWS, TRUNCATED, AGE = "tracegrade-rows", "tracegrade-truncated", "tracegrade-age"
"""Headers of such an answer: its rows, whether there were more, and its age in seconds."""

AUTHORIZATION = "authorization"

STATUS: dict[type[errors.StoreError], int] = {
    errors.Busy: 503,
    errors.Unavailable: 503,
    errors.ReadOnly: 403,
    errors.UnknownQuery: 404,
    errors.RefusedStatement: 422,
    errors.BadAppend: 422,
}
"""Errors that keep their kind on the way; all others arrive as a plain StoreError with status 500."""


def to_bytes(table: pa.Table) -> bytes:
    """A table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def to_table(stream: bytes) -> pa.Table:
    """The table of an Arrow stream. Raises pa.ArrowException for anything else."""
    with pa.ipc.open_stream(stream) as reader:
        return reader.read_all()


def headers_of(result: Result) -> dict[str, str]:
    """What is said about an answer in headers."""
    return {ROWS: str(result.rows), TRUNCATED: str(result.truncated).lower(), AGE: f"{result.age:.3f}"}


def result_of(body: IO[bytes], headers: Message | Mapping[str, str], release: Callable[[], None]) -> Result:
    """The reverse."""
    size, rows, age = headers.get("content-length", -1), headers.get(ROWS, 0), headers.get(AGE, 0)
    return Result(body, int(size), int(rows), headers.get(TRUNCATED) == "true", float(age), release)


def tables_to_json(tables: Mapping[str, pa.Table]) -> dict[str, str]:
    """Tables by name, as base64 texts of Arrow streams."""
    return {name: base64.b64encode(to_bytes(table)).decode() for name, table in tables.items()}


def tables_from_json(raw: Mapping[str, str]) -> dict[str, pa.Table]:
    """The reverse. Raises ValueError (or pa.ArrowException, one of its kind) for what is not that."""
    return {name: to_table(base64.b64decode(text, validate=True)) for name, text in raw.items()}


def named(kind: str, message: str) -> errors.StoreError:
    """The error of this name, with its message."""
    if kind == errors.Busy.__name__:
        return errors.Busy(1.0)
    for known in STATUS:
        if known.__name__ == kind:
            return known(message)
    return errors.StoreError(message)
