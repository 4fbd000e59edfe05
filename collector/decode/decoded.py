"""What decoding gives: columns ready for Arrow, with what was refused and what was odd, as counts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from collector.decode.columns import as_lists

REASONS: dict[str, str] = {
    "trace_id_length": "a trace id must have 16 bytes",
    "trace_id_zero": "a trace id must not be all zeros",
    "trace_id_not_hex": "a trace id must be 32 hex digits in OTLP/JSON",
    "span_id_length": "a span id must have 8 bytes",
    "span_id_zero": "a span id must not be all zeros",
    "span_id_not_hex": "a span id must be 16 hex digits in OTLP/JSON",
    "id_is_base64": "ids are base64; OTLP/JSON wants hex digits",
    "id_is_hex_text": "ids are hex text; OTLP/protobuf wants raw bytes",
    "attributes_not_a_list": 'attributes must be a list of {"key", "value"}, not an object',
    "value_conflict": "a value has two kinds set; exactly one is allowed",
    "number_out_of_range": "a number does not fit the field's type",
    "wrong_type": "a field holds JSON of the wrong type",
    "bad_base64": "a bytesValue is not base64",
    "malformed_value": "an attribute or a field cannot be parsed",
    "too_many_odd_values": "more than 100,000 values of one row cannot stand in JSON as they are",
    "nested_too_deep": "a value is nested more than 200 levels deep",
    "deleted": "its trace was deleted here; it is not stored again",
}
"""Reason codes of refused rows, each with advice for a person. Codes are stable; clients and tests may rely on them."""

WARNINGS: dict[str, str] = {
    "parent_id_invalid": "parent ids of a wrong form were set aside",
    "link_id_invalid": "links with ids of a wrong form were set aside",
    "log_id_invalid": "ids of log records of a wrong form were set aside",
    "invalid_utf8": "strings that are not UTF-8 were repaired",
    "duplicate_key": "attribute keys occur twice; the last value counts",
    "too_deep": "values nested more than 64 levels deep were turned into text",
    "enum_name": "enums should be numbers in OTLP/JSON, not names",
    "snake_case": "fields should be lowerCamelCase in OTLP/JSON, not snake_case",
    "instrumentation_library_spans": "instrumentationLibrarySpans (before OTLP 0.15) was ignored; update the exporter",
}
"""Codes of what was stored in spite of a fault of the sender, each with words for the answer (OTLP, C-05)."""


class DecodeError(ValueError):
    """Nothing of a body can be read. The message is safe to send to the client: no values, no internals."""


class Rejected(Exception):  # noqa: N818 -- not a fault of the program: one row is refused and its neighbours stay
    """One span or log record is refused; `code` is one of `REASONS`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True)
class Decoded:
    """Rows of `evidence.spans` or `evidence.logs` (without `commit_seq`), of one request or of several.

    Those that were read by column stand in `table`, and behind them those that were read one by one in `columns`, lists of
    the same length. `keys` holds 24 bytes a span (trace id, span id), none for logs. `size` is in bytes, the texts of all
    columns together, since one resource is repeated in every row. `rejected` and `warnings` count reason codes.
    """

    kind: Literal["spans", "logs"]
    columns: dict[str, list[Any]]
    rows: int
    size: int
    keys: list[bytes] = field(default_factory=list)
    rejected: dict[str, int] = field(default_factory=dict)
    warnings: dict[str, int] = field(default_factory=dict)
    rules: str | None = None
    """The version of the redaction rules that were applied; None before."""
    table: pa.Table | None = None
    owners: np.ndarray | None = None
    """The number of each row's request; None: all are of one, number 0."""

    left_out: dict[str, Counter[int]] = field(default_factory=dict)
    """Rows that were rejected on their way to the store: reason code → number of their request → count."""

    @property
    def delivered(self) -> int:
        """Rows that the request held, the refused ones among them."""
        return self.rows + sum(self.rejected.values())

    @property
    def requests(self) -> int:
        """How many requests the rows are of, about: the last may have none."""
        return 1 if self.owners is None or not len(self.owners) else int(self.owners.max()) + 1

    @property
    def by_column(self) -> int:
        """How many rows stand in `table`."""
        return 0 if self.table is None else self.table.num_rows

    def owner(self, row: int) -> int:
        """The number of the row's request."""
        return 0 if self.owners is None else int(self.owners[row])

    def column(self, name: str) -> list[Any]:
        """One column of all rows."""
        held = [] if self.table is None else self.table[name].to_pylist()
        return held + self.columns[name] if self.columns else held

    def keep(self, rows: Sequence[int], code: str) -> None:
        """Leave out all rows but these, which are in order; the others are rejected with this reason code."""
        first = self.by_column
        lost = Counter(map(self.owner, sorted(set(range(self.rows)).difference(rows))))
        self.left_out.setdefault(code, Counter()).update(lost)
        count(self.rejected, code, lost.total())
        if self.table is not None:
            self.table = self.table.take(pa.array([row for row in rows if row < first], pa.int64()))
        listed = [row - first for row in rows if row >= first]
        self.columns = {name: [column[row] for row in listed] for name, column in self.columns.items()}
        self._order(rows)

    def take_out(self, rows: Sequence[int]) -> None:
        """Move these rows of `table`, which are in order, to the end of `columns`, to be looked at one by one."""
        if not rows or self.table is None:
            return
        out = as_lists(self.table.take(pa.array(rows, pa.int64())))
        moved = set(rows)
        left = [row for row in range(self.table.num_rows) if row not in moved]
        behind = range(self.table.num_rows, self.rows)
        self.table = self.table.take(pa.array(left, pa.int64()))
        self.columns = {name: [*self.columns.get(name, ()), *column] for name, column in out.items()}
        self._order([*left, *behind, *rows])

    def _order(self, rows: Sequence[int]) -> None:
        self.keys = [self.keys[row] for row in rows] if self.keys else self.keys
        self.owners = None if self.owners is None else self.owners[list(rows)]
        self.rows = len(rows)


def count(counts: dict[str, int], code: str, by: int = 1) -> None:
    """Count one more of `code`."""
    counts[code] = counts.get(code, 0) + by
