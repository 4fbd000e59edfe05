"""The answer to a query in the formats of `sql --format`, written to a stream as it goes."""

import csv
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, BinaryIO

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from collector.printable import clean

Row = tuple[Any, ...]


def tuples(table: pa.Table) -> Iterator[Row]:
    """The rows as Python values that JSON holds, or nearly so: times as text with their nanoseconds."""
    return zip(*map(_values, table.columns), strict=True)


def records(table: pa.Table) -> Iterator[dict[str, Any]]:
    """The rows by their columns' names."""
    return (dict(zip(table.column_names, row, strict=True)) for row in tuples(table))


def write_csv(table: pa.Table, out: BinaryIO, *, escape: bool = False) -> None:
    """RFC 4180 with a header; lists and records as JSON, null as nothing. `escape` where a terminal reads it (X-09)."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(table.column_names)
    for row in tuples(table):
        cells = [_cell(value) for value in row]
        writer.writerow([clean(c) if isinstance(c, str) else c for c in cells] if escape else cells)
    text.detach()


def write_json(table: pa.Table, out: BinaryIO) -> None:
    """One list of objects, an object a line."""
    out.write(b"[")
    out.writelines((b",\n " if number else b"\n ") + line for number, line in enumerate(_objects(table)))
    out.write(b"\n]\n")


def write_jsonl(table: pa.Table, out: BinaryIO) -> None:
    """One object a line."""
    out.writelines(line + b"\n" for line in _objects(table))


def write_parquet(table: pa.Table, out: BinaryIO) -> None:
    """The table as it is, with its types."""
    pq.write_table(table, out)


def _objects(table: pa.Table) -> Iterator[bytes]:
    return map(_json, records(table))


def _values(column: pa.ChunkedArray) -> list[Any]:
    kind = _plain(column.type)
    values = (column if kind == column.type else column.cast(kind)).to_pylist()
    if not pa.types.is_decimal(kind):
        return values
    return [None if v is None else float(v) if kind.scale else _whole(int(v)) for v in values]


def _whole(number: int) -> int | str:
    """JSON's readers keep 64 bits; a sum may be wider."""
    return number if -(2**63) <= number < 2**64 else str(number)


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type in which Python has every value: times become text, since Python's end at microseconds."""
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(kind.storage_type)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind) or pa.types.is_time(kind):
        return pa.string()
    if pa.types.is_map(kind):
        return pa.map_(_plain(kind.key_type), _plain(kind.item_type))
    if pa.types.is_list(kind):
        return pa.list_(_plain(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(f.name, _plain(f.type)) for f in kind.fields])
    return kind


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict | tuple | bool):
        return _json(value).decode()
    return value.hex() if isinstance(value, bytes) else value


def _json(value: Any) -> bytes:
    return orjson.dumps(value, default=_other, option=orjson.OPT_NON_STR_KEYS)


def _other(value: Any) -> Any:
    """What orjson does not know: bytes, decimals within records, intervals (months, days, nanoseconds)."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Decimal):
        return float(value)
    return list(value) if isinstance(value, tuple) else str(value)
