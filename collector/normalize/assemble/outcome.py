"""How a span ended: failed and with what words, or not."""

from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import exception_of

CONTROL_FLOW = frozenset(
    ("ApprovalRequired", "CallDeferred", "GraphInterrupt", "NodeInterrupt", "ParentCommand", "GeneratorExit",
     "CancelledError")
)  # fmt: skip
"""Exceptions by which frameworks steer: a span that one of them ended did not fail."""


def failure(node: Node) -> str | None:
    """The error's text where the span failed, None where it did not. Never empty."""
    span, said = node.span, node.said
    if span is None or not (span.failed or said.tool_failed or "error.type" in span.attributes):
        return None
    if said.deferred or said.control_flow:
        return None
    raised = exception_of(span.events)
    if raised and raised[0].rsplit(".", 1)[-1] in CONTROL_FLOW:
        return None
    typed = said.error.value if said.error else None
    if raised and raised[1]:
        return f"{raised[0].rsplit('.', 1)[-1]}: {raised[1]}" if raised[0] else raised[1]
    if span.status_message:
        return span.status_message
    return (raised[0].rsplit(".", 1)[-1] if raised else None) or typed or "failed without a message"
