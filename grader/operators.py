"""Reads a value of a suite file as a pattern: `$` marks an operator, all else is literal."""

from collections.abc import Callable
from typing import Any

from grader.coerced import Coerced
from grader.conforming import Conforming, check_schema
from grader.expressions.regexes import BadPattern
from grader.nearest import nearest
from grader.patterns import AllOf, Between, Fields, From, Items, Literal, Near, OneOf, Pattern, Regex, is_number
from grader.unordered import Unordered

_PAIR = 2


def read_pattern(raw: Any) -> Pattern:
    """The pattern that a value of a suite file stands for.

    Raises:
        ValueError: an operator is unknown or its operand cannot be; the message is for the suite's author.
    """
    if isinstance(raw, dict):
        marked = [k for k in raw if str(k).startswith("$")]
        if marked and len(marked) < len(raw):
            raise ValueError(
                f"operator {marked[0]!r} stands beside plain fields; put it below the field that it is about"
            )
        if marked:
            parts = tuple(_operator(str(k), raw[k]) for k in sorted(marked))
            return parts[0] if len(parts) == 1 else AllOf(parts)
        if has_operator(raw):
            return Fields(tuple((str(k), read_pattern(raw[k])) for k in sorted(raw)))
    if isinstance(raw, list) and has_operator(raw):
        return Items(tuple(read_pattern(v) for v in raw))
    return Literal(raw)


def has_operator(raw: Any) -> bool:
    """Whether a `$` operator stands anywhere in the value."""
    if isinstance(raw, dict):
        return any(str(k).startswith("$") or has_operator(v) for k, v in raw.items())
    return isinstance(raw, list) and any(has_operator(v) for v in raw)


def _operator(name: str, operand: Any) -> Pattern:
    reader = OPERATORS.get(name)
    if reader is None:
        raise ValueError(f"unknown operator {name!r}{nearest(name, list(OPERATORS))}")
    return reader(operand)


def _between(operand: Any) -> Pattern:
    if not (isinstance(operand, list) and len(operand) == _PAIR and all(map(is_number, operand))):
        raise ValueError("$between takes two numbers: { $between: [0, 50] }")
    if operand[0] > operand[1]:
        raise ValueError("$between takes the smaller number first")
    return Between(operand[0], operand[1])


def _regex(operand: Any) -> Pattern:
    if not isinstance(operand, str) or not operand:
        raise ValueError("$regex takes a regular expression as text")
    try:
        return Regex(operand)
    except BadPattern as error:
        raise ValueError(f"$regex is not a regular expression: {error}") from None


def _in(operand: Any) -> Pattern:
    if not isinstance(operand, list) or not operand:
        raise ValueError("$in takes a list of values: { $in: [a, b] }")
    return OneOf(tuple(read_pattern(v) for v in operand))


def _near(operand: Any) -> Pattern:
    known = {"value", "abs", "rel"}
    if not (isinstance(operand, dict) and "value" in operand and operand.keys() <= known):
        raise ValueError("$near takes a value and a distance: { $near: { value: 50, abs: 0.01 } } (abs or rel)")
    if not all(is_number(v) for v in operand.values()) or operand.keys() == {"value"}:
        raise ValueError("$near takes numbers, and needs abs or rel")
    return Near(operand["value"], operand.get("abs", 0.0), operand.get("rel", 0.0))


def _from(operand: Any) -> Pattern:
    tool, marker, path = operand.partition(".result") if isinstance(operand, str) else ("", "", "")
    if not tool or not marker or (path and not path.startswith(".")):
        raise ValueError("$from names a tool and a path in its result: { $from: orders.lookup.result.order_id }")
    return From(tool, tuple(path.split(".")[1:]))


def _schema(operand: Any) -> Pattern:
    if not isinstance(operand, dict | bool):
        raise ValueError("$schema takes a JSON Schema: { $schema: { type: string } }")  # noqa: TRY004  pydantic gathers ValueErrors
    check_schema(operand)
    return Conforming(operand)


def _set(operand: Any) -> Pattern:
    if not isinstance(operand, list):
        raise ValueError("$set takes a list, whose order does not matter: { $set: [a, b] }")  # noqa: TRY004  likewise
    return Unordered(tuple(sorted(map(read_pattern, operand), key=lambda p: (p.tell(), repr(p)))))


OPERATORS: dict[str, Callable[[Any], Pattern]] = {
    "$between": _between,
    "$coerce": lambda operand: Coerced(read_pattern(operand)),
    "$equals": Literal,
    "$from": _from,
    "$in": _in,
    "$near": _near,
    "$regex": _regex,
    "$schema": _schema,
    "$set": _set,
}
"""By name; `$equals` takes its operand as it stands, even where a key begins with `$`."""
