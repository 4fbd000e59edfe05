"""An answer in the formats of `sql --format`, written to a stream part by part: the whole never stands in memory.

What strangers wrote does no harm where people read it (X-09): in CSV control characters are escaped and texts that a
spreadsheet would take for formulas begin with an apostrophe; JSON escapes all that does not print. JSON lines, Arrow
and Parquet give every character back.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, BinaryIO

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

Row = tuple[Any, ...]
Parts = Iterable[pa.RecordBatch | pa.Table]

_HIDDEN = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that do not print and that JSON leaves as they are."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|" + _HIDDEN.pattern)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that spreadsheets calculate."""


def tuples(part: pa.RecordBatch | pa.Table) -> Iterator[Row]:
    """The rows as Python values that JSON holds, or nearly so: times as text with their nanoseconds."""
    return zip(*map(_values, part.columns), strict=True)


def records(part: pa.RecordBatch | pa.Table) -> Iterator[dict[str, Any]]:
    """The rows by their columns' names."""
    return (dict(zip(part.schema.names, row, strict=True)) for row in tuples(part))


def harmless(text: str) -> str:
    """The text as a cell of CSV: neither a terminal nor a spreadsheet obeys it; line breaks and tabs stay."""
    text = _CONTROLS.sub(_shown, text)
    return f"'{text}" if text.startswith(_FORMULA) else text


def write_csv(schema: pa.Schema, parts: Parts, out: BinaryIO, text: Callable[[str], str] = harmless) -> None:
    """RFC 4180 with a header; lists and records as JSON, null as nothing. `text` makes texts safe for who reads them."""
    stream = io.TextIOWrapper(out, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)
    writer = csv.writer(stream)
    writer.writerow(map(text, schema.names))
    for part in parts:
        for row in tuples(part):
            writer.writerow([text(cell) if isinstance(cell, str) else cell for cell in map(_cell, row)])
    stream.detach()


def write_json(_schema: pa.Schema, parts: Parts, out: BinaryIO) -> None:
    """One list of objects, an object a line."""
    out.write(b"[")
    between = b"\n "
    for part in parts:
        for record in records(part):
            out.write(between + _line(record))
            between = b",\n "
    out.write(b"\n]\n")


def write_jsonl(_schema: pa.Schema, parts: Parts, out: BinaryIO) -> None:
    """One object a line."""
    for part in parts:
        out.writelines(_line(record) + b"\n" for record in records(part))


def write_arrow(schema: pa.Schema, parts: Parts, out: BinaryIO) -> None:
    """An Arrow IPC stream."""
    with pa.ipc.new_stream(pa.PythonFile(out, mode="w"), schema) as writer:
        for part in parts:
            writer.write(part)


def write_parquet(schema: pa.Schema, parts: Parts, out: BinaryIO) -> None:
    """A Parquet file, with the types."""
    with pq.ParquetWriter(out, schema) as writer:
        for part in parts:
            writer.write(part)


def _shown(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 -- as Python writes it


def _line(record: dict[str, Any]) -> bytes:
    line = _json(record)
    return line if line.isascii() else _HIDDEN.sub(lambda m: f"\\u{ord(m[0]):04x}", line.decode()).encode()


def _values(column: pa.Array | pa.ChunkedArray) -> list[Any]:
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
