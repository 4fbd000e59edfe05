"""The Python-like expressions of Connic's test files: conditions on named values, with three answers (S3-1 to S3-6).

`compile_dsl("output.id == 10", ["status", "output"]).evaluate({"output": {"id": 10}})` is True. An answer of None is
not met: a field is missing, or UNKNOWN stands where something was not captured.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from grader.expressions import syntax
from grader.expressions.bad_expression import BadExpression
from grader.expressions.closures import Condition, Values, condition
from grader.expressions.comparing import UNKNOWN
from grader.outcome import Truth

__all__ = ["UNKNOWN", "BadExpression", "Expression", "compile_dsl"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled condition. `source` is its text; `names` the roots and dotted paths that it mentions."""

    source: str
    names: frozenset[str] = field(init=False, repr=False, compare=False)
    _body: ast.expr = field(init=False, repr=False, compare=False)
    _condition: Condition = field(init=False, repr=False, compare=False)

    @classmethod
    def of(cls, source: str, body: ast.expr) -> Self:
        """From a tree that the reader has checked."""
        expression = cls(source)
        names = frozenset(syntax.names_of(body))
        for name, value in (("names", names), ("_body", body), ("_condition", condition(body))):
            object.__setattr__(expression, name, value)
        return expression

    def evaluate(self, values: Values) -> Truth:
        """Whether it holds. A root without a value is one that was not captured; data too deep to compare is unknown."""
        try:
            return self._condition(values)
        except RecursionError:
            return None

    def mentions(self, *names: str) -> bool:
        """Whether one of these roots or dotted paths occurs in it."""
        return not self.names.isdisjoint(names)

    def conjuncts(self) -> tuple["Expression", ...]:
        """The parts that a top-level `and` joins, each whole in itself (S3-15)."""
        return tuple(Expression.of(syntax.segment(self.source, n), n) for n in syntax.conjuncts(self._body))


def compile_dsl(source: str, roots: Sequence[str]) -> Expression:
    """Reads an expression over these root names.

    Raises:
        BadExpression: it is not part of the language, or mentions another root; with a caret under the place.
    """
    return Expression.of(source, syntax.parse(source, roots))
