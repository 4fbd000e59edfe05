"""The Python-like language as formats use it."""

import time
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.case import digest
from grader.expressions.dsl import UNKNOWN, BadExpression, compile_dsl
from tests.grader.expressions.probes import ROOTS, SCALARS, json_of, rows, with_absent

TOOL = ("invocations", "params", "context")
ASKING = [
    "output == error", "output in error", "error in output", "output < error", "not output", "output.a.b[0]['c'] == error",
    "output[error]", "[output, error] == error", "{output} == {error}", "{'a': output} == error", "0 < output < error",
]  # fmt: skip


@pytest.mark.parametrize("row", rows("dsl_answers"))
def test_answers(row: dict) -> None:
    """S3-1 to S3-8, S3-11: each row of the table comes to its answer; null is neither met nor refuted."""
    assert compile_dsl(row["expression"], ROOTS).evaluate(with_absent(row["values"])) is row["answer"]


@given(json_of(SCALARS | st.floats() | st.just(UNKNOWN)), json_of(SCALARS | st.floats() | st.just(UNKNOWN)))
def test_no_data_makes_an_evaluation_fail(output: Any, error: Any) -> None:
    """Whatever stands there, an expression answers true, false or unknown."""
    for source in ASKING:
        assert compile_dsl(source, ROOTS).evaluate({"output": output, "error": error}) in (True, False, None)


def test_data_too_deep_to_compare_is_unknown() -> None:
    """No depth of the data breaks an evaluation."""
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert compile_dsl("output == error", ROOTS).evaluate({"output": deep, "error": deep}) is None
    assert compile_dsl("output", ROOTS).evaluate({"output": deep}) is True
    while isinstance(deep, list):  # taken apart here, for Python would do it recursively
        deep = deep.pop()


def test_S3_07_roots_of_each_use() -> None:
    """S3-7, S3-25, S3-38: the caller names the roots; those of another use are refused with the nearest."""
    compile_dsl("payload.charge_id == context.charge_id or 'x' in payload_raw", ("payload", "payload_raw", "context"))
    compile_dsl(
        "params.charge_id == context.charge_id and params.ok == true and params.no == null", ("params", "context")
    )
    compile_dsl("params.a == 4 and invocations == 1", TOOL)
    with pytest.raises(BadExpression, match="did you mean 'params'"):
        compile_dsl("param.a == 4", TOOL)


def test_S3_09_mentions() -> None:
    """S3-9: a format asks whether status or error occurs; a text or a field of that name does not count."""
    assert compile_dsl("'x' in error", ROOTS).mentions("error", "status")
    assert compile_dsl("output.id == 1 and status == 'failed'", ROOTS).mentions("error", "status")
    assert not compile_dsl("output.error == 'status'", ROOTS).mentions("error", "status")
    assert compile_dsl("output.error", ROOTS).mentions("output.error")


def test_S3_15_conjuncts_are_expressions() -> None:
    """S3-15: filters of parameters and conditions on the count can be told apart and evaluated on their own."""
    whole = compile_dsl("params.a == 4 and invocations >= 2 and context.x == 1", TOOL)
    parts = whole.conjuncts()
    assert [p.source for p in parts] == ["params.a == 4", "invocations >= 2", "context.x == 1"]
    assert [p.mentions("params") for p in parts] == [True, False, False]
    assert [p.evaluate({"params": {"a": 4}, "invocations": 1}) for p in parts] == [True, False, None]
    assert parts[0].conjuncts() == (parts[0],)


@pytest.mark.parametrize("text", [None, 5, True, ["output"]])
def test_what_is_no_text_is_refused(text: Any) -> None:
    """A suite may hold a number where an expression belongs."""
    with pytest.raises(BadExpression, match="an expression is a text"):
        compile_dsl(text, ROOTS)


def test_expressions_have_a_definition() -> None:
    """Two of the same text are equal and hash alike, in a set and in the hash of a case."""
    one, same, other = (compile_dsl(s, ROOTS) for s in ("output == 1", "output == 1", "output == 2"))
    assert one == same
    assert len({one, same, other}) == 2
    assert digest(one) == digest(same) != digest(other)


def test_evaluation_is_bounded() -> None:
    """The longest expressions over large data take their time from the data's size, and keep nothing."""
    items = [{"a": i, "b": "x" * 20} for i in range(5_000)]
    many = compile_dsl(" or ".join(["{'a': -1} in output"] * 60), ROOTS)
    nested = "[" * 18 + "output" + "]" * 18
    whole = compile_dsl(f"{nested} == {nested}", ROOTS)
    start = time.process_time()
    assert many.evaluate({"output": items}) is False
    assert whole.evaluate({"output": items}) is True
    assert time.process_time() - start < 20  # 300,000 comparisons; a product of sizes would take hours
    tracemalloc.start()
    assert whole.evaluate({"output": items}) is True
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


@pytest.mark.parametrize("pattern", ["('a' in output) and " * 90 + "true", "output in ('" + "a" * 900 + "b')"])
def test_searching_a_text_is_linear(pattern: str) -> None:
    """`in` over a large text of a hostile shape ends soon."""
    start = time.process_time()
    compile_dsl(pattern, ROOTS).evaluate({"output": "a" * 1_000_000})
    assert time.process_time() - start < 10
