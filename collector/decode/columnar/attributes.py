"""The attributes of many spans: JSON objects, keys sorted, as orjson writes them; and what may not be read this way."""

import numpy as np
import orjson
import pyarrow as pa

from collector.decode.beside import MOST_ATTRIBUTES, Notes
from collector.decode.columnar.buffers import Flags, Numbers, compute, flags, not_text, offsets, places, texts, valid
from collector.decode.columnar.escape import escaped
from collector.decode.decoded import Rejected
from collector.decode.json_text import dump
from collector.decode.protobuf_values import body

_SCALARS = ("string_value", "int_value", "bool_value", "double_value")
_NESTED = {"array_value": b"\x2a", "kvlist_value": b"\x32"}
"""Fields of AnyValue that hold messages, with their tags on the wire."""

_UNREADABLE = ("bytes_value", "string_value_strindex")
"""Values that want a note, or that OTLP keeps for profiles."""

# With their types named: where it must find them out, pyarrow looks for dateutil each time, and that takes 50 µs (measured).
_AFTER = pa.array(["", '"', "}", '"}'], pa.string())
_NULL = pa.array(["null"], pa.string())
_NOTHING, _EMPTY = pa.scalar("", pa.string()), pa.scalar("{}", pa.string())

Nested = dict[bytes, str | None]
"""JSON text by the tag and the bytes of a value; None: it wants a note."""


class Attributes:
    """The attributes of a column of spans. `odd` says of which spans they must be read one by one.

    All else holds only where `odd` says no of every span.
    """

    def __init__(self, column: pa.ListArray, nested: Nested) -> None:
        """Raises ValueError where there are too many (X-08)."""
        self._ends = offsets(column) - offsets(column)[0]
        pairs = column.flatten()
        if len(pairs) > MOST_ATTRIBUTES:
            raise ValueError("too many attributes")
        keys, values = pairs.field("key"), pairs.field("value")
        self._kinds = dict(
            zip(
                (field.name for field in values.type), values.flatten(), strict=True
            )  # flatten: with the parent's nulls
        )
        self.rows: Numbers = np.repeat(np.arange(len(column), dtype=np.int32), np.diff(self._ends))
        """The span of each attribute."""
        self.odd: Flags = np.zeros(len(column), dtype=bool)
        coded = keys.dictionary_encode()
        self.codes: Numbers = coded.indices.to_numpy()
        """The key of each attribute, as a number of `names`."""
        self.names = self._read_names(coded.dictionary.to_pylist())
        self._order = self._sorted()
        self._there = {kind: valid(held) for kind, held in self._kinds.items() if held.null_count < len(held)}
        self._texts = self._read_texts()
        self._nested = self._read_nested(nested)
        self._look_at_kinds()
        self._at, self._scalars = self._sources() if not self.odd.any() else (np.zeros(0, dtype=np.int64), [])

    def objects(self) -> pa.StringArray:
        """The attributes of each span as the text of one JSON object."""
        order, codes = self._order, self.codes[self._order]
        is_text = self._is("string_value")[order]
        first = np.zeros(len(codes), dtype=bool)
        last = first.copy()
        filled = self._ends[:-1] < self._ends[1:]
        first[self._ends[:-1][filled]] = True
        last[self._ends[1:][filled] - 1] = True
        quoted = [orjson.dumps(name).decode() + ":" for name in self.names]
        before = pa.array(
            [f"{glue}{name}{mark}" for glue in ",{" for mark in ("", '"') for name in quoted], pa.string()
        )
        source = [escaped(self._scalars[0]), *self._scalars[1:], *self._nested_texts(), _NULL]
        count = len(quoted)
        pieces = compute.binary_join_element_wise(
            before.take(places(codes + count * (is_text + 2 * first))),
            pa.concat_arrays(source).take(places(self._at[order])),
            _AFTER.take(places(is_text + 2 * last)),
            _NOTHING,
        )
        if not len(pieces):
            return pa.array(["{}"] * len(self.odd), pa.string())
        joined = texts(offsets(pieces)[self._ends], pieces.buffers()[2])
        return joined if filled.all() else compute.if_else(flags(filled), joined, _EMPTY)

    def where(self, name: str) -> Numbers:
        """The attributes of that name, one a span at most."""
        code = self._code.get(name)
        return np.zeros(0, dtype=np.int64) if code is None else np.flatnonzero(self.codes == code)

    def as_text(self, held: Numbers) -> pa.StringArray:
        """Scalars as text, of these attributes; null for others, and where there is none (-1)."""
        if self._bare is None:
            self._bare = pa.concat_arrays(self._scalars)
        at = self._at[held]
        return self._bare.take(places(at, (held >= 0) & (at < len(self._bare))))

    def kind(self, name: str, held: Numbers) -> pa.Array:
        """The values of one kind of AnyValue of these attributes, null where they are of another or there is none."""
        return self._kinds[name].take(places(held, held >= 0))

    # reading

    def _read_names(self, raw: list[bytes]) -> list[str]:
        names, self._code = [], dict[str, int]()
        for code, key in enumerate(raw):
            try:
                name = key.decode()
            except UnicodeDecodeError:
                name = ""
                self._mark(self.codes == code)
            names.append(name)
            self._code.setdefault(name, code)
        self._bare: pa.StringArray | None = None
        return names

    def _sorted(self) -> Numbers:
        """The attributes by span and key; a key that a span has twice makes it odd."""
        rank = np.empty(len(self.names), dtype=np.int64)
        rank[sorted(range(len(self.names)), key=self.names.__getitem__)] = np.arange(len(self.names))
        held = self.rows * np.int64(len(self.names)) + rank[self.codes]
        order = np.argsort(held, kind="stable")
        twice = np.flatnonzero(np.diff(held[order]) == 0)
        self.odd[self.rows[order[twice]]] = True
        return order

    def _read_texts(self) -> pa.StringArray:
        """All string values; those that are not UTF-8 make their spans odd."""
        held = self._kinds["string_value"].drop_null()
        try:
            return held.cast(pa.string())
        except pa.ArrowInvalid:
            wrong = not_text(held)
            self.odd[self.rows[self._is("string_value")][wrong]] = True
            return pa.array([], pa.string())

    def _read_nested(self, nested: Nested) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for kind, tag in _NESTED.items():
            if kind not in self._there:
                continue
            read = [_json(tag, value, nested) for value in self._kinds[kind].drop_null().to_pylist()]
            wrong = np.array([text is None for text in read])
            self.odd[self.rows[self._is(kind)][wrong]] = True
            found[kind] = [text or "" for text in read]
        return found

    def _look_at_kinds(self) -> None:
        """Of several kinds set in one value the last counts, and which that is cannot be seen here."""
        if len(self._there) > 1:
            self._mark(np.asarray(np.sum(list(self._there.values()), axis=0, dtype=np.int8)) > 1)
        for kind in _UNREADABLE:
            if kind in self._there:
                self._mark(self._there[kind])
        if "double_value" in self._there:
            doubles = self._kinds["double_value"].to_numpy(zero_copy_only=False)
            self._mark(self._there["double_value"] & ~np.isfinite(doubles))

    def _is(self, kind: str) -> Flags:
        found = self._there.get(kind)
        return np.zeros(len(self.rows), dtype=bool) if found is None else found

    def _mark(self, attributes: Flags) -> None:
        self.odd[self.rows[attributes]] = True

    # writing

    def _sources(self) -> tuple[Numbers, list[pa.StringArray]]:
        """For each attribute the place of its value in the sources joined: the scalars of each kind, the nested, null."""
        scalars = [self._texts if kind == "string_value" else self._written(kind) for kind in _SCALARS]
        counts = [len(held) for held in scalars] + [len(self._nested.get(kind, ())) for kind in _NESTED]
        at = np.full(len(self.rows), sum(counts), dtype=np.int64)
        begin = 0
        for kind, count in zip((*_SCALARS, *_NESTED), counts, strict=True):
            if count:
                at[self._there[kind]] = begin + np.arange(count)
            begin += count
        return at, scalars

    def _written(self, kind: str) -> pa.StringArray:
        if kind not in self._there:
            return pa.array([], pa.string())
        held = self._kinds[kind].drop_null()
        if kind == "double_value":
            return pa.array([orjson.dumps(value).decode() for value in held.to_pylist()], pa.string())
        return held.cast(pa.string())

    def _nested_texts(self) -> list[pa.StringArray]:
        return [pa.array(self._nested.get(kind, []), pa.string()) for kind in _NESTED]


def _json(tag: bytes, raw: bytes, nested: Nested) -> str | None:
    known = tag + raw
    if known in nested:
        return nested[known]
    notes = Notes()
    try:
        text = dump(body(tag + _length(raw) + raw, "", notes)).decode()
    except Rejected:
        text = None
    nested[known] = None if notes else text
    return nested[known]


def _length(raw: bytes) -> bytes:
    """How many bytes, as a varint."""
    size, written = len(raw), bytearray()
    while size > 127:
        written.append(size & 127 | 128)
        size >>= 7
    written.append(size)
    return bytes(written)
