"""Rows in a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from collector.cli.render.table import rows


def printed(columns: list[str], values: list[tuple[object, ...]], width: int) -> list[str]:
    """The lines that a console of this width shows."""
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        for part in rows(columns, values, width):
            console.print(part)
    return capture.get().splitlines()


def test_rows_fit_a_table() -> None:
    """Few columns become a table with a line a row, and a missing value is a dash."""
    shown = printed(["name", "calls"], [("lookup", 12), (None, 3)], 60)
    assert next(line.split() for line in shown if line.strip()) == ["name", "calls"]
    assert [line.split() for line in shown][-2:] == [["lookup", "12"], ["-", "3"]]


def test_the_widest_columns_are_cut_first() -> None:
    """A narrow column keeps its width while a long text beside it is cut with an ellipsis."""
    shown = printed(["id", "text"], [("0123456789", "x" * 500)], 40)
    assert shown[-1] == "0123456789   " + "x" * 26 + "…"


def test_many_columns_become_blocks() -> None:
    """More columns than the width can hold are shown one a line, a block a row."""
    columns = [f"column_{i}" for i in range(20)]
    shown = printed(columns, [tuple(range(20)), tuple(range(20))], 80)
    assert shown[0].startswith("── row 1")
    assert shown[2].split() == ["column_1", "1"]
    assert len(shown) == 2 * 21


def test_cells_do_not_steer_the_terminal() -> None:
    """Names and values from traces are escaped, in tables and in blocks (X-09)."""
    for width in (80, 13):
        assert not any("\x1b" in line for line in printed(["na\x1bme", "b"], [("\x1b[2J", "x")], width))


@given(st.lists(st.tuples(st.text(), st.integers(), st.none()), max_size=3), st.integers(20, 100))
def test_no_line_is_wider_than_the_terminal(values: list[tuple[object, ...]], width: int) -> None:
    """Whatever the cells hold, every line fits."""
    assert all(cell_len(line) <= width for line in printed(["text", "number", "nothing"], values, width))


@pytest.mark.parametrize("width", [10, 80])
def test_no_rows_still_show_the_columns_or_nothing(width: int) -> None:
    """An empty answer prints without an error."""
    printed(["a", "b"], [], width)
