"""Rows for a terminal: a table where it fits, else one block a row."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from collector.cli.render.text import brief
from collector.printable import clean

NARROWEST = 10
"""Characters to which a column may be cut before rows become blocks."""

GAP = 3
"""Characters between two columns."""


def rows(columns: Sequence[str], values: Sequence[Sequence[Any]], width: int) -> Iterator[RenderableType]:
    """The rows laid out for a console of this width."""
    cells = [[cell(value) for value in row] for row in values]
    table = _table(columns, cells, width)
    if table is not None:
        _align(table, values)
        yield table
        return
    longest = max(map(len, columns))
    for number, row in enumerate(cells, 1):
        yield Text(f"── row {number} ", style="dim", no_wrap=True, overflow="ellipsis")
        for name, shown in zip(columns, row, strict=True):
            text = Text(no_wrap=True, overflow="ellipsis")
            yield text.append(clean(name).ljust(longest), "bold").append("  ").append(shown)


def cell(value: Any) -> Text:
    """One value; a missing one is shown as a dim dash, so that it is not taken for empty text."""
    if isinstance(value, Text):
        return value
    return Text("-", style="dim") if value is None else Text(brief(value))


def _table(columns: Sequence[str], cells: Sequence[Sequence[Text]], width: int) -> Table | None:
    """A line a row. The widest columns are cut first, all to the same width; None where that is too narrow."""
    names = [Text(clean(name)) for name in columns]
    natural = [max(text.cell_len for text in column) for column in zip(names, *cells, strict=True)]
    level = _level(natural, width - GAP * (len(columns) - 1))
    if level < NARROWEST and max(natural) > level:
        return None
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, show_edge=False)
    for name, needed in zip(names, natural, strict=True):
        table.add_column(name, no_wrap=True, overflow="ellipsis", width=min(needed, level))
    for row in cells:
        table.add_row(*row)
    return table


def _level(natural: Sequence[int], room: int) -> int:
    """The width to which the columns must be cut so that they fit together."""
    for taken, needed in enumerate(ordered := sorted(natural)):
        level = room // (len(ordered) - taken)
        if needed > level:
            return level
        room -= needed
    return max(natural)


def _align(table: Table, values: Sequence[Sequence[Any]]) -> None:
    """Numbers stand to the right."""
    for index, column in enumerate(table.columns):
        if values and all(isinstance(row[index], int | float) for row in values if row[index] is not None):
            column.justify = "right"
