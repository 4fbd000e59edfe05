"""When a condition in the Python-like language is met: what is not true is not met, and what was not captured stays open."""

from collections.abc import Mapping
from typing import Any

from collector.tree import ToolCall
from grader.expressions.comparing import UNKNOWN, holds_unknown
from grader.expressions.dsl import Expression
from grader.outcome import Truth
from grader.scene import Scene


def met(expression: Expression, values: Mapping[str, Any]) -> Truth:
    """S3-4: a field that is missing in data that are known leaves the condition unmet.

    It stays open where a root that it mentions was not captured whole (UNKNOWN, at any depth).
    """
    truth = expression.evaluate(values)
    if truth is None and not any(holds_unknown(value) and expression.mentions(root) for root, value in values.items()):
        return False
    return truth


def params_of(call: ToolCall) -> Any:
    """A call's arguments as `params`: {} for none, UNKNOWN where they were not captured whole."""
    if call.arguments_capture != "present":
        return UNKNOWN
    return {} if call.arguments is None else call.arguments


def context_of(scene: Scene) -> Any:
    """The facts of the fixture as `context`, UNKNOWN where none were given or recorded."""
    return UNKNOWN if scene.context is None else scene.context
