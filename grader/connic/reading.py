"""What every part of a Connic test file needs: expressions, and checks with the format's policy."""

from collections.abc import Sequence

from grader.case import Check
from grader.checks.without_fixture import WithoutFixture
from grader.expressions.bad_expression import BadExpression
from grader.expressions.dsl import Expression, compile_dsl
from grader.scene import Primitive
from grader.syntax.foreign import Fields
from grader.wanted import NOT_STOPPED, Wanted

RESULT = ("status", "output", "error", "context")
TOOL = ("invocations", "params", "context")
PAYLOAD = ("payload", "payload_raw", "context")
APPROVAL = ("params", "context")
"""The roots of each kind of expression (S3-7, S3-14, S3-25, S3-38)."""


def expression(fields: Fields, key: str, roots: Sequence[str]) -> Expression | None:
    """The expression at a key; None where there is none, or a wrong one, which is told with a caret under the place."""
    if not fields.has(key):
        return None
    source = fields.text(key)
    return compiled(fields, key, source, roots) if source else None


def compiled(fields: Fields, key: str | None, source: str, roots: Sequence[str]) -> Expression | None:
    """An expression that stands at a key (None: somewhere below the fields' own place)."""
    try:
        return compile_dsl(source, roots)
    except BadExpression as error:
        fields.wrong(key, str(error))
        return None


def wanted(tool: str) -> Wanted:
    """The calls of a tool (S3-19); what waits for an approval, or was denied one, was not called."""
    return Wanted(tool=tool, names="segment", states=NOT_STOPPED)


def fixture(primitive: Primitive, *, built: bool, mentions: bool) -> Primitive:
    """S3-7: `context` is what the builder made; without a builder it is empty, and known to be."""
    return primitive if built or not mentions else WithoutFixture(then=primitive)


def check(kind: str, label: str, position: int, primitive: Primitive, line: int) -> Check:
    """Everything must hold; what the evidence cannot decide is not met."""
    return Check(
        label=label,
        kind=kind,
        position=str(position),
        primitive=primitive,
        severity="critical",
        unknown="fail",
        line=line,
    )
