"""Reads of the store that identity needs, for the few keys that were perhaps seen before."""

from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from collector.store import statements
from collector.store.writing.identity import LogKey, Place, Revision, SpanKey, Stored, rank
from collector.store.writing.retried import shape
from collector.store.writing.seen import Seen, Words, log_words, span_words


def stored_spans(connection: duckdb.DuckDBPyConnection, keys: Sequence[SpanKey]) -> Stored:
    """All stored revisions of these spans."""
    sql = statements.load()
    traces, spans = [k.trace_id for k in keys], [k.span_id for k in keys]
    low, high = connection.execute(sql["identity/bounds"], {"traces": sorted(set(traces))}).fetchall()[0]
    if low is None:
        return {}
    rows = connection.execute(
        sql["identity/stored_spans"], {"traces": traces, "spans": spans, "low": low, "high": high}
    ).fetchall()
    found: Stored = {}
    for trace_id, span_id, content, end_ns, attributes, superseded, seq, row, beside, start_ns, status, events in rows:
        own = shape(beside, start_ns, end_ns, status, attributes, events)
        revision = Revision(rank(end_ns, attributes, content), superseded, Place(seq, row), own)
        found.setdefault(SpanKey(trace_id, span_id), {})[content] = revision
    return found


def stored_logs(connection: duckdb.DuckDBPyConnection, columns: dict[str, list[Any]]) -> list[LogKey]:
    """The identities of stored log records that have the content hashes and times of these columns."""
    times = [time for time in columns["time_ns"] if time is not None]
    found = connection.execute(
        statements.load()["identity/stored_logs"],
        {
            "hashes": columns["content_hash"],
            "low": min(times, default=0),
            "high": max(times, default=0),
        },
    ).fetchall()
    return [(content, trace_id, span_id, time_ns) for content, trace_id, span_id, time_ns in found]


def filled(connection: duckdb.DuckDBPyConnection, name: str) -> Seen:
    """A filter that holds the identities of all stored rows; `name` is `identity/seen_spans` or `…_logs`."""
    words = span_words if name.endswith("spans") else log_words
    table = connection.sql(statements.load()[name]).to_arrow_table()
    seen = Seen(table.num_rows + table.num_rows // 4)
    for part in _words(table.column(0), words):
        seen.add(part)
    return seen


def _words(column: pa.ChunkedArray, words: Any) -> Iterator[Words]:
    for chunk in column.chunks:
        width = 24 if words is span_words else 16
        data = chunk.buffers()[2]
        if data is not None:
            start = chunk.offset * width
            yield words(data[start : start + len(chunk) * width])
