"""The rows in which a rule may find something: a look at all texts of a column at once, and then at each of them."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from collector.decode.columnar.buffers import letters
from collector.redact.scan import Scan

_LONG = "attributes"
"""The column that holds nearly all of the text, and hardly a text twice."""


def in_table(table: pa.Table, names: Sequence[str], scan: Scan) -> list[int]:
    """Rows of a table by their columns of text."""
    hit = [name for name in names if scan.may_find_in(_all_of(table[name], name))]
    return in_columns({name: table[name].to_pylist() for name in hit}, scan)


def in_columns(columns: Mapping[str, Sequence[str | None]], scan: Scan) -> list[int]:
    """Rows of columns of text."""
    texts = {name: [text for text in dict.fromkeys(column) if text] for name, column in columns.items()}
    if not scan.may_find("\n".join("\n".join(column) for column in texts.values())):
        return []
    hit = {name: {text for text in column if scan.may_find(text)} for name, column in texts.items()}
    found = [(columns[name], some) for name, some in hit.items() if some]
    rows = len(next(iter(columns.values()), ()))
    return [row for row in range(rows) if any(column[row] in some for column, some in found)]


def _all_of(column: pa.ChunkedArray, name: str) -> bytes | memoryview:
    """All texts of a column. Those of attributes stand side by side: each is a JSON object, between braces."""
    if name != _LONG:
        return "\n".join(text for text in column.unique().to_pylist() if text).encode()
    pieces = [letters(chunk).data for chunk in column.chunks]
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
