"""What the reader of the Python-like language takes and refuses."""

import ast
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.expressions import syntax
from grader.expressions.bad_expression import BadExpression
from tests.grader.expressions.probes import ROOTS, rows

WORDS = [
    *ROOTS, "true", "null", "None", "and", "or", "not", "in", "is", "if", "else", "for", "lambda", "await", "yield",
    "==", "!=", "<", "<=", "=", ":=", "+", "-", "*", "**", ".", ",", ":", "(", ")", "[", "]", "{", "}", "#", "\\", "\n",
    "'a'", '"', "'''", "f'{x}'", "b''", "1", "1.5", "1e999", "0x", "1_0", "__class__", "items", "ü", "😀", "\ud800", "\x00",
]  # fmt: skip


def can_be_read(source: str) -> bool:
    """Whether the reader takes it."""
    try:
        syntax.parse(source, ROOTS)
    except BadExpression:
        return False
    return True


@pytest.mark.parametrize("row", rows("dsl_refused"))
def test_refused(row: dict) -> None:
    """S3-2: what the language does not have is refused at load, with the reason and the column."""
    with pytest.raises(BadExpression, match=row["message"]) as refused:
        syntax.parse(row["expression"], ROOTS)
    lines = row["expression"].split("\n")
    assert refused.value.column == row["column"]
    assert refused.value.line == (2 if "foo" in lines[-1] and len(lines) > 1 else 1)


@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
@example("(" * 1_900)
@example("not " * 499 + "x")
@example("-" * 1_999)
@example("[" * 90 + "]" * 90)
@example("output" + "[0]" * 600)
@example("1" * 1_999)
@example("output" + ".a" * 900)
@example("'\\N{no such name}'")
@example("'\\xZZ'")
@example("01 == output")
def test_any_source_is_read_or_refused(source: str) -> None:
    """No source makes the reader fail otherwise, and what it takes is made of the language's own nodes."""
    try:
        body = syntax.parse(source, ROOTS)
    except BadExpression:
        return
    taken = (
        *(ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Name, ast.Attribute, ast.Subscript, ast.Constant),
        *(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.boolop, ast.Not, ast.USub, ast.cmpop, ast.Load),
    )
    assert all(isinstance(node, taken) for node in ast.walk(body))
    names = {n.id for n in ast.walk(body) if isinstance(n, ast.Name)}
    assert names <= {*ROOTS, *syntax.CONSTANTS}


@pytest.mark.parametrize(
    ("source", "taken"),
    [
        ("output" + " " * 1_994, True),
        ("output" + " " * 1_995, False),
        ("[" + ",".join(["1"] * 398) + "]", True),
        ("[" + ",".join(["1"] * 399) + "] == 1", False),
        ("output" + ".a" * 39, True),
        ("output" + ".a" * 40, False),
        ("[" * 40 + "]" * 40, True),
        ("[" * 41 + "]" * 41, False),
    ],
)
def test_S3_01_limits(source: str, taken: bool) -> None:
    """S3-1: 2,000 characters; and 400 parts, 40 deep."""
    assert can_be_read(source) is taken


@pytest.mark.parametrize(
    "source", ["(" * 5_000 + "true" + ")" * 5_000, "&&".join(["true"] * 20_000), "(" * 990 + "true" + ")" * 990]
)
def test_S3_02_attacks_by_size_are_refused_quickly(source: str) -> None:
    """Deep and long sources cost no time."""
    start = time.process_time()
    with pytest.raises(BadExpression):
        syntax.parse(source, ROOTS)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("output.row.id == context.test_uuid", "output output.row output.row.id context context.test_uuid"),
        ("output['row'][0].id", "output output.row output.row.0 output.row.0.id"),
        ("output[context.key].x", "output context context.key"),
        ("true and null != false", ""),
        ("'status' in {'error': output}", "output"),
    ],
)
def test_names(source: str, names: str) -> None:
    """Roots and dotted paths, with what leads to them; texts and constants are no names."""
    assert set(syntax.names_of(syntax.parse(source, ROOTS))) == set(names.split())


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("status == 'a' and output.x == 'ü and' and error", ["status == 'a'", "output.x == 'ü and'", "error"]),
        ("status and (output and (error or context))", ["status", "output", "error or context"]),
        ("status or output and error", ["status or output and error"]),
        ("not (status and output)", ["not (status and output)"]),
        (" 'ü' in output\n and status ", ["'ü' in output", "status"]),
    ],
)
def test_S3_15_conjuncts(source: str, parts: list[str]) -> None:
    """S3-15: only a top-level `and` splits, however it is bracketed."""
    body = syntax.parse(source, ROOTS)
    assert [syntax.segment(source, n) for n in syntax.conjuncts(body)] == parts
