"""Compiles a checked tree to functions: one kind gives values, one kind gives truths."""

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from grader.expressions.comparing import (
    MISSING,
    UNKNOWN,
    Members,
    as_value,
    contained,
    equal,
    greater,
    greater_or_equal,
    less,
    less_or_equal,
    negate,
    not_contained,
    not_equal,
    truthy,
)
from grader.expressions.syntax import CONSTANTS
from grader.outcome import Truth, either, every

Values = Mapping[str, Any]
Value = Callable[[Values], Any]
Condition = Callable[[Values], Truth]
Comparison = Callable[[Any, Any], Truth]

_COMPARISONS: dict[type[ast.cmpop], Comparison] = {
    ast.Eq: equal,
    ast.NotEq: not_equal,
    ast.Lt: less,
    ast.LtE: less_or_equal,
    ast.Gt: greater,
    ast.GtE: greater_or_equal,
    ast.In: contained,
    ast.NotIn: not_contained,
    ast.Is: equal,  # values of JSON have no identity
    ast.IsNot: not_equal,
}


def condition(node: ast.expr) -> Condition:
    """A function that gives the node's truth."""
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            all_of = [condition(p) for p in parts]
            return lambda values: every(part(values) for part in all_of)  # stops at the first that decides
        case ast.BoolOp(values=parts):
            any_of = [condition(p) for p in parts]
            return lambda values: either(part(values) for part in any_of)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = condition(operand)
            return lambda values: negate(inner(values))
        case ast.Compare():
            return _comparison(node)
    inner = value(node)
    return lambda values: truthy(inner(values))


def value(node: ast.expr) -> Value:
    """A function that gives the node's value."""
    match node:
        case ast.Name(id=name):
            return _always(CONSTANTS[name]) if name in CONSTANTS else lambda values: values.get(name, UNKNOWN)
        case ast.Attribute(value=inner, attr=name):
            return _field(value(inner), name)
        case ast.Subscript(value=inner, slice=ast.Constant(value=str(name))):
            return _field(value(inner), name)
        case ast.Subscript(value=inner, slice=key):
            return _item(value(inner), value(key))
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Compare():
            truth = condition(node)
            return lambda values: as_value(truth(values))
    return _literal(node)


def _literal(node: ast.expr) -> Value:
    match node:
        case ast.Constant(value=constant):
            return _always(constant)
        case ast.UnaryOp(operand=ast.Constant(value=int() | float() as number)):
            return _always(-number)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            parts = [value(i) for i in items]
            return lambda values: [p(values) for p in parts]
        case ast.Set(elts=items):
            members = [value(i) for i in items]
            return lambda values: Members(tuple(p(values) for p in members))
        case ast.Dict(keys=keys, values=inners):
            entries = [(k.value, value(v)) for k, v in zip(keys, inners, strict=True) if isinstance(k, ast.Constant)]
            return lambda values: {k: v(values) for k, v in entries}
    raise AssertionError(f"the reader let {type(node).__name__} through")


def _always(constant: Any) -> Value:
    return lambda _: constant


def _comparison(node: ast.Compare) -> Condition:
    """`a < b < c` is `a < b and b < c`, with `b` looked at once."""
    first = value(node.left)
    steps = [(_COMPARISONS[type(op)], value(other)) for op, other in zip(node.ops, node.comparators, strict=True)]
    if len(steps) == 1:
        compare, second = steps[0]
        return lambda values: compare(first(values), second(values))

    def links(values: Values) -> Iterator[Truth]:
        left = first(values)
        for compare, other in steps:
            right = other(values)
            yield compare(left, right)
            left = right

    return lambda values: every(links(values))


def _field(inner: Value, name: str) -> Value:
    """S3-6: a field of an object is data; whatever is no object has no field."""

    def field(values: Values) -> Any:
        found = inner(values)
        if type(found) is dict:
            return found.get(name, MISSING)
        return UNKNOWN if found is UNKNOWN else MISSING

    return field


def _item(inner: Value, key: Value) -> Value:
    def item(values: Values) -> Any:
        found, at = inner(values), key(values)
        if found is UNKNOWN or at is UNKNOWN:
            return UNKNOWN
        if type(found) is dict:
            return found.get(at, MISSING) if type(at) is str else MISSING
        if isinstance(found, list | tuple | str) and type(at) is int and -len(found) <= at < len(found):
            return found[at]
        return MISSING

    return item
