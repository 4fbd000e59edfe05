"""CEL behind its adapter."""

import contextlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.case import digest
from grader.expressions.cel import UNKNOWN, BadExpression, CelType, EvaluationFailed, bind, compile_cel
from tests.grader.expressions.probes import SCALARS, SMALL, bounded, json_of, rows, with_absent

VARIABLES: dict[str, CelType] = {
    "output": "dyn",
    "cost_usd": "double",
    "calls": "int",
    "seconds": "double",
    "tool_calls": "list",
    "skills_read": "list(string)",
}
CALLS = [{"tool": "orders", "function": "lookup", "target": "", "agent": "a"}]
SIMPLE = [
    "cost_usd < 1.0", "calls == 1", "seconds > 0.5", "output == 1", "output.a == 'a'", "has(output.a)", "output.b",
    "tool_calls.exists(c, c == 1)", "tool_calls.all(c, c.a == 1)", "skills_read.size() == 1", "true", "false",
]  # fmt: skip
CONDITIONS = st.recursive(
    st.sampled_from(SIMPLE),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})")
        | inner.map(lambda c: f"!({c})")
        | st.tuples(inner, inner, inner).map(lambda t: f"({t[0]}) ? ({t[1]}) : ({t[2]})")
    ),
    max_leaves=4,
)
VALUES = st.fixed_dictionaries(
    {
        "output": json_of(SMALL),
        "cost_usd": st.sampled_from([0.5, 2.0]),
        "calls": st.integers(0, 2),
        "seconds": st.sampled_from([0.1, 1.0]),
        "tool_calls": st.lists(json_of(SMALL), max_size=3),
        "skills_read": st.lists(st.text(max_size=2), max_size=2),
    }
)


def outcome(source: str, values: Any) -> Any:
    """The truth, or "error"."""
    try:
        return compile_cel(source, VARIABLES).evaluate(values)
    except EvaluationFailed:
        return "error"


@pytest.mark.parametrize("row", rows("cel_answers"))
def test_answers(row: dict) -> None:
    """S4-6, S4-13 to S4-15: each row comes to its answer, "error" for one that could not be evaluated."""
    found = outcome(row["expression"], with_absent(row["values"]))
    assert found is row["answer"] or found == row["answer"] == "error"


@pytest.mark.parametrize("row", rows("cel_refused"))
def test_refused(row: dict) -> None:
    """S4-6: what cannot be compiled, or cannot give a truth, is refused at load, with the reason and the column."""
    with pytest.raises(BadExpression, match=row["message"]) as refused:
        compile_cel(row["expression"], VARIABLES)
    assert refused.value.column == row["column"]
    assert refused.value.line == (2 if row["name"].endswith("second_line") else 1)


@settings(max_examples=60)
@given(CONDITIONS, VALUES, st.sets(st.sampled_from(sorted(VARIABLES))))
def test_what_is_decided_stays_so_whatever_was_not_captured(source: str, values: Any, hidden: set[str]) -> None:
    """S4-15: true or false without some variables is the answer with any values of theirs."""
    known = outcome(source, values)
    seen = outcome(source, {k: UNKNOWN if k in hidden else v for k, v in values.items()})
    assert known in (True, False, "error")
    assert seen is None or seen == "error" or seen is known
    if not compile_cel(source, VARIABLES).mentions(*hidden):
        assert seen == known


@settings(max_examples=60)
@given(json_of(SCALARS | st.text(st.characters()) | st.tuples(st.integers()) | st.just(UNKNOWN)))
def test_no_data_breaks_an_evaluation(output: Any) -> None:
    """Whatever stands there, the answer is a truth, unknown, or an evaluation that failed."""
    bound = bind({"output": output}, VARIABLES)
    for source in ("output == output", "output.a.b == 1", "output", "output.size() > 1", "has(output.a) || output > 5"):
        assert outcome(source, bound) in (True, False, None, "error")


@settings(max_examples=100)
@given(
    st.text(max_size=40)
    | st.lists(st.sampled_from(["output", ".", "(", ")", "&&", "'a'", "1", "==", "map", ",", "?"])).map("".join)
)
def test_any_source_is_read_or_refused(source: str) -> None:
    """No source makes the reader fail otherwise."""
    with contextlib.suppress(BadExpression):
        assert compile_cel(source, VARIABLES).source == source


def test_S4_06_names() -> None:
    """S4-6: a variable is mentioned where the expression needs it; a text, a field or a loop's own name is none."""
    source = "output.calls == 'seconds' && [1].exists(skills_read, skills_read == 1) && tool_calls.size() == 0"
    expression = compile_cel(source, VARIABLES)
    assert expression.names == {"output", "tool_calls"}
    assert expression.mentions("tool_calls", "skills_read")
    assert not expression.mentions("skills_read", "calls")


def test_S4_06_reasons_are_for_people() -> None:
    """S4-6: a failed evaluation tells what was wrong, without the library's codes."""
    for source, values, reason in (
        ("output.x == 1", {"output": {}}, 'the expression could not be evaluated: Key not found in map : "x"'),
        ("output", {"output": 5}, "the expression gave int, neither true nor false"),
    ):
        with pytest.raises(EvaluationFailed) as failed:
            compile_cel(source, VARIABLES).evaluate(values)
        assert failed.value.reason == reason


def test_data_cannot_pretend_that_a_variable_was_not_captured() -> None:
    """A key that reads like the library's own message is a missing key, not missing evidence."""
    key = 'UNKNOWN: No value with name "output" found in Activation'
    assert outcome("output[string(output.k)] == 1", {"output": {"k": key}}) == "error"


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("output[1] == 2", (1, 2)),
        ("output.None == 1", {None: 1}),
        ("output['5'] == 1", {5: 1}),
        ("output.a == 'b'", {"a": b"x"}),
    ],
)
def test_S4_06_what_is_no_json_does_no_harm(source: str, output: Any) -> None:
    """S4-6: tuples are lists, keys are texts, and whatever else there is becomes its text."""
    assert outcome(source, {"output": output}) is (b"x" not in (output.values() if isinstance(output, dict) else ()))


def test_threads_get_their_own_answers() -> None:
    """One expression and one binding serve several threads."""
    expression = compile_cel("tool_calls.filter(c, c.tool == 'orders').size() == 50", VARIABLES)
    bound = bind({"tool_calls": CALLS * 50}, VARIABLES)
    with ThreadPoolExecutor(4) as pool:
        answers = set(
            pool.map(lambda n: expression.evaluate(bound if n % 2 else {"tool_calls": CALLS * n}), range(400))
        )
        assert list(pool.map(lambda _: expression.evaluate(bound), range(400))) == [True] * 400
    assert answers == {True, False}


def test_one_binding_serves_several_expressions() -> None:
    """Values are made ready once for a run."""
    bound = bind({"tool_calls": CALLS, "calls": 1}, VARIABLES)
    sources = ("calls == 1", "tool_calls.size() == 1", "tool_calls[0].tool == 'orders'", "cost_usd < 1.0")
    assert [compile_cel(s, VARIABLES).evaluate(bound) for s in sources] == [True, True, True, None]


def test_expressions_have_a_definition() -> None:
    """Two of the same text over the same variables are equal and hash alike."""
    one, same = compile_cel("calls == 1", VARIABLES), compile_cel("calls == 1", VARIABLES)
    assert one == same
    assert digest(one) == digest(same) != digest(compile_cel("calls == 2", VARIABLES))


@pytest.mark.parametrize("text", [None, 5, True, ["output"]])
def test_what_is_no_text_is_refused(text: Any) -> None:
    """A suite may hold a number where an expression belongs."""
    with pytest.raises(BadExpression, match="an expression is a text"):
        compile_cel(text, VARIABLES)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("(" * 4_990 + "true" + ")" * 4_990, "nested too deep"),
        ("(" * 40 + "true" + ")" * 40, "nested too deep"),
        ("&&".join(["true"] * 20_000), "allowed are 10,000"),
        ("output" + ".a" * 4_000 + " == 1", "nested|recursion|depth"),
    ],
    ids=["deep_parentheses", "parentheses", "many_terms", "long_path"],
)
def test_S4_06_attacks_by_size_are_refused_quickly(source: str, message: str) -> None:
    """S4-6: deep and long sources cost no time."""
    start = time.process_time()
    with pytest.raises(BadExpression, match=message):
        compile_cel(source, VARIABLES)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("tool_calls.map(a, tool_calls.map(b, tool_calls.map(c, 1))).size() == 1", "more than 10,000 steps"),
        ("[output]" + ".map(a, a + a)" * 27 + "[0].size() > 0", "too much memory"),
        ("[output]" + ".map(a, [a, a])" * 14 + " == [output]" + ".map(a, [a, a])" * 14, "too much memory"),
        ("tool_calls.map(a, tool_calls.map(b, output + output)).size() == 1", "too much memory"),
    ],
    ids=["three_loops", "doubled_text", "doubled_list", "copies"],
)
def test_S4_06_evaluation_is_bounded(source: str, reason: str) -> None:
    """S4-6: an evaluation that would take too long or too much memory fails, soon and with the reason."""
    with bounded(), pytest.raises(EvaluationFailed, match=reason):
        compile_cel(source, VARIABLES).evaluate({"tool_calls": [1] * 200, "output": "x" * 100_000})


def in_a_new_process(program: str) -> str:
    """What a program prints."""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_the_library_is_imported_when_an_expression_is_compiled() -> None:
    """Who writes no CEL does not pay for it, in time or in an installed package."""
    program = """
import sys
from grader.expressions.cel import compile_cel
print("cel_expr_python" in sys.modules)
compile_cel("true", {})
print("cel_expr_python" in sys.modules)
"""
    assert in_a_new_process(program).split() == ["False", "True"]


def test_without_the_library_the_error_says_what_to_install() -> None:
    """The error at load names the extra."""
    program = """
import sys
sys.modules["cel_expr_python"] = None  # as if it were not installed
from grader.expressions.cel import BadExpression, compile_cel
try:
    compile_cel("output == 1", {"output": "dyn"})
except BadExpression as refused:
    print(refused)
"""
    assert "pip install 'tracegrade[cel]'" in in_a_new_process(program)
