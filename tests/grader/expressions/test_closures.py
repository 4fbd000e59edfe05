"""Compiled conditions against a plain model of the language."""

import operator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grader.expressions import closures, syntax
from grader.expressions.comparing import UNKNOWN
from tests.grader.expressions.probes import ROOTS, SMALL, json_of

LITERALS = st.sampled_from(
    [("null", None), ("true", True), ("1", 1), ("-1.5", -1.5), ("'a'", "a"), ("[1, 'b']", [1, "b"])]
)
PATHS = st.sampled_from(
    ["status", "output", "output.a", "output.b.a", "output['c']", "context.a", "output[0]", "error[-1]"]
)
COMPARED = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
SIDES = PATHS.map(lambda p: ("path", p)) | LITERALS.map(lambda v: ("literal", *v))
COMPARISONS = st.tuples(st.just("compare"), SIDES, st.sampled_from(COMPARED), SIDES)
CONDITIONS = st.recursive(
    COMPARISONS | PATHS.map(lambda p: ("path", p)),
    lambda inner: (
        st.tuples(st.just("not"), inner)
        | st.tuples(st.just("and"), inner, inner)
        | st.tuples(st.just("or"), inner, inner)
    ),
    max_leaves=6,
)
VALUES = st.fixed_dictionaries(dict.fromkeys(ROOTS, json_of(SMALL)))
HOLES = st.fixed_dictionaries(dict.fromkeys(ROOTS, json_of(SMALL | st.just(UNKNOWN))))
ABSENT = object()


def text(node: Any) -> str:
    """The node as an author writes it."""
    match node:
        case ("path", path):
            return path
        case ("literal", written, _):
            return written
        case ("compare", left, op, right):
            return f"{text(left)} {op} {text(right)}"
        case ("not", inner):
            return f"not ({text(inner)})"
        case (word, left, right):
            return f"({text(left)}) {word} ({text(right)})"
    raise AssertionError(node)


def look(node: Any, values: Any) -> Any:
    """The value of a side; ABSENT where the data has none."""
    if node[0] == "literal":
        return node[2]
    found = values
    for step in node[1].replace("['", ".").replace("']", "").replace("[", ".").replace("]", "").split("."):
        try:
            found = found[int(step)] if step.lstrip("-").isdecimal() and not isinstance(found, dict) else found[step]
        except (KeyError, IndexError, TypeError):
            return ABSENT
    return found


def tagged(value: Any) -> Any:
    """A value in which Python's == tells booleans from numbers."""
    if isinstance(value, list):
        return [tagged(v) for v in value]
    if isinstance(value, dict):
        return {k: tagged(v) for k, v in value.items()}
    return (isinstance(value, bool), value)


def model(node: Any, values: Any) -> bool | None:
    """The language, written down a second time."""
    match node:
        case ("path", _):
            found = look(node, values)
            return found is not ABSENT and bool(found)
        case ("not", inner):
            truth = model(inner, values)
            return None if truth is None else not truth
        case ("and" | "or" as word, left, right):
            truths = [model(left, values), model(right, values)]
            decides = word == "or"
            return decides if decides in truths else None if None in truths else not decides
        case ("compare", left, op, right):
            return compared(look(left, values), op, look(right, values))
    raise AssertionError(node)


def compared(left: Any, op: str, right: Any) -> bool | None:
    """One comparison."""
    if ABSENT in (left, right):
        return None
    if op in ("==", "!="):
        return (tagged(left) == tagged(right)) is (op == "==")
    if op in ("in", "not in"):
        if right is not None and type(right) not in (str, list, dict):
            return None
        if isinstance(right, str) and not isinstance(left, str):
            return None
        within = tagged(left) in map(tagged, right) if isinstance(right, list) else False
        if isinstance(right, str | dict) and isinstance(left, str):
            within = left in right
        return within is (op == "in")
    kinds = {float if type(v) is int else type(v) for v in (left, right)}
    if kinds not in ({float}, {str}):
        return None
    return {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}[op](left, right)


def answer(source: str, values: Any) -> bool | None:
    """What the compiled condition says."""
    return closures.condition(syntax.parse(source, ROOTS))(values)


@given(CONDITIONS, VALUES)
def test_conditions_answer_as_the_model(node: Any, values: Any) -> None:
    """Over known data every condition comes to what the plain model says."""
    assert answer(text(node), values) is model(node, values)


@given(CONDITIONS, HOLES, json_of(SMALL))
def test_what_is_decided_stays_so_whatever_was_not_captured(node: Any, values: Any, known: Any) -> None:
    """True or False over missing evidence is the answer over all evidence that there could have been."""

    def fill(value: Any) -> Any:
        if value is UNKNOWN:
            return known
        if isinstance(value, dict):
            return {k: fill(v) for k, v in value.items()}
        return [fill(v) for v in value] if isinstance(value, list) else value

    decided = answer(text(node), values)
    assert decided in (True, False, None)
    filled = answer(text(node), fill(values))
    assert decided is None or filled is decided


@given(CONDITIONS, CONDITIONS, HOLES)
def test_the_laws_of_kleene(left: Any, right: Any, values: Any) -> None:
    """Double negation, De Morgan, either order, and absorption hold for three answers."""
    a, b = text(left), text(right)
    for one, other in (
        (f"not (not ({a}))", a),
        (f"not (({a}) and ({b}))", f"(not ({a})) or (not ({b}))"),
        (f"not (({a}) or ({b}))", f"(not ({a})) and (not ({b}))"),
        (f"({a}) and ({b})", f"({b}) and ({a})"),
        (f"({a}) or ({b})", f"({b}) or ({a})"),
        (f"({a}) or (({a}) and ({b}))", f"({a}) or false"),
    ):
        assert answer(one, values) is answer(other, values)
    assert answer(f"({a}) and false", values) is False
    assert answer(f"({a}) or true", values) is True


def test_the_middle_of_a_chain_is_looked_at_once() -> None:
    """A chain compares neighbours, and stops where one decides."""
    looked = []

    class Counting(dict):
        def get(self, key: object, default: Any = None, /) -> Any:
            looked.append(key)
            return super().get(key, default)

    condition = closures.condition(syntax.parse("status < output < error", ROOTS))
    assert condition(Counting(status=1, output=2, error=3)) is True
    assert looked == ["status", "output", "error"]
    looked.clear()
    assert condition(Counting(status=1, output=0, error=3)) is False
    assert looked == ["status", "output"]
