"""Decoded rows for tests, as the decoder would hand them over."""

import hashlib
import json
from concurrent.futures import Future
from typing import Any

import pyarrow as pa

from collector.decode.columns import LOGS, SPANS
from collector.decode.decoded import Decoded
from collector.store.writing.group import Receipt, Request, Rows
from collector.store.writing.segment import Kept


def committed(future: "Future[Receipt]") -> Receipt:
    """What became of a request whose rows are committed now, also where it was answered before."""
    return future.result().final()


def kept(decoded: Decoded) -> Kept:
    """A request as it stands in a spool."""
    schema = pa.schema(list((SPANS if decoded.kind == "spans" else LOGS).items()))
    return Kept(decoded.kind, Rows([Request(decoded, Future(), 0.0)], schema).kept)


def hash_of(row: dict[str, Any]) -> str:
    """A content hash over all values of a row."""
    return hashlib.blake2b(json.dumps(row, sort_keys=True).encode(), digest_size=16).hexdigest()


def span(trace: int, number: int, **values: Any) -> dict[str, Any]:
    """One span's row; ids are made from the two numbers."""
    row: dict[str, Any] = dict.fromkeys(SPANS)
    row |= {
        "trace_id": f"{trace:032x}",
        "span_id": f"{number:016x}",
        "name": "step",
        "kind": 1,
        "flags": 1,
        "start_ns": 1_790_000_000_000_000_000 + number,
        "end_ns": 1_790_000_001_000_000_000 + number,
        "start_time": 1_790_000_000_000_000_000 + number,
        "attributes": '{"a":1}',
        "events": "[]",
        "links": "[]",
        "resource": '{"service.name":"shop"}',
        "service_name": "shop",
    }
    row |= values
    return row | {"content_hash": hash_of(row)}


def log(trace: int | None, number: int, **values: Any) -> dict[str, Any]:
    """One log record's row."""
    row: dict[str, Any] = dict.fromkeys(LOGS)
    row |= {
        "trace_id": None if trace is None else f"{trace:032x}",
        "time_ns": 1_790_000_000_000_000_000 + number,
        "body": '"hello"',
        "attributes": "{}",
        "resource": "{}",
    }
    row |= values
    return row | {"content_hash": hash_of(row)}


def spans(*rows: dict[str, Any]) -> Decoded:
    """One request with these spans."""
    columns = {name: [row[name] for row in rows] for name in SPANS}
    keys = [bytes.fromhex(row["trace_id"] + row["span_id"]) for row in rows]
    return Decoded(kind="spans", columns=columns, rows=len(rows), size=1000 * len(rows), keys=keys)


def logs(*rows: dict[str, Any]) -> Decoded:
    """One request with these log records."""
    columns = {name: [row[name] for row in rows] for name in LOGS}
    return Decoded(kind="logs", columns=columns, rows=len(rows), size=500 * len(rows))
