"""YAML 1.2 core with line numbers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.syntax.yaml12 import core, dotted, read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("~", None),
        ("", None),
        ("012", 12),
        ("0o17", 15),
        ("0xff", 255),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("2026-03-01", "2026-03-01"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("-.inf", float("-inf")),
    ],
)
def test_core_schema(text: str, value: Any) -> None:
    """`yes` and dates are texts; a leading zero is no octal."""
    assert core(text) == value
    assert type(core(text)) is type(value)


def test_lines_of_keys_and_items() -> None:
    """Every place has its line; what is not there has that of the nearest place around it."""
    document = read("f", "a: 1\nb:\n  - c: 2\n  - d\n")
    assert document.value == {"a": 1, "b": [{"c": 2}, "d"]}
    assert document.line(("b", 0, "c")) == 3
    assert document.line(("b", 1)) == 4
    assert document.line(("b", 0, "missing", 7)) == 3


def test_all_duplicate_keys_are_told() -> None:
    """Not only the first."""
    found = read("f", "a: 1\na: 2\nb: {c: 1, c: 2}\n").mistakes
    assert [(m.line, m.field) for m in found] == [(2, "a"), (3, "b.c")]
    assert "first on line 1" in found[0].message


def test_aliases_are_followed_but_never_round() -> None:
    """An alias that holds itself is a mistake, a plain one is not."""
    assert read("f", "a: &x [1]\nb: *x\n").value == {"a": [1], "b": [1]}
    assert read("f", "a: &x\n  b: *x\n").mistakes


def test_a_file_that_blows_up_is_refused() -> None:
    """Nine levels of nine aliases are 387 million values in 200 bytes."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert any("blow" in m.message for m in read("f", "\n".join(lines)).mistakes)


@pytest.mark.parametrize("text", ["a: [", "a: 'x", "\ta: 1", "a: b: c", "", "# nothing", "a: 1\n---\nb: 2\n"])
def test_what_is_no_single_document_is_a_mistake_with_a_line(text: str) -> None:
    """Never an exception."""
    document = read("f", text)
    assert document.value is None
    assert document.mistakes[0].line >= 1


@given(st.text(max_size=80))
def test_any_text_gives_a_document(text: str) -> None:
    """Reading is total."""
    document = read("f", text)
    assert document.mistakes or document.lines


def test_dotted_places() -> None:
    """As people write them."""
    assert dotted(("cases", 0, "expect", 2, "with")) == "cases[0].expect[2].with"
