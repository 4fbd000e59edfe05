"""Mark runs from inside the program that runs agents. Needs the OpenTelemetry API alone; may be copied as it is.

Once, where tracing is set up: `provider.add_span_processor(MarkSpans())`. Then each span that starts below
`with case("looks up before refunding", suite="refunds"): agent.run(...)` carries the names of its case and suite.
"""

import json
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from opentelemetry import baggage, context, trace

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
else:
    SpanProcessor = object  # its shape is enough, so that the API package is

CARRIED = ("test.case.name", "test.suite.name", "tracegrade.batch")


class MarkSpans(SpanProcessor):
    """A span processor that copies the marks from baggage onto each span that starts (design: marking runs)."""

    def on_start(self, span: trace.Span, parent_context: context.Context | None = None) -> None:
        """Set the marks that the span's context carries."""
        for key in CARRIED:
            if (value := baggage.get_baggage(key, parent_context)) is not None:
                span.set_attribute(key, str(value))

    def on_end(self, span: object) -> None: ...

    _on_ending = on_end  # the SDK calls it on every processor

    def shutdown(self) -> None: ...

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002 (the SDK's signature)
        """Nothing is held back."""
        return True


@contextmanager
def case(name: str, suite: str | None = None, batch: str | None = None) -> Generator[None]:
    """Every span that starts inside carries the case's name, and the suite's and the batch's where given."""
    marked = context.get_current()
    for key, value in zip(CARRIED, (name, suite, batch), strict=True):
        marked = marked if value is None else baggage.set_baggage(key, value, marked)
    token = context.attach(marked)
    try:
        yield
    finally:
        context.detach(token)


def set_batch(name: str) -> None:
    """The current span, and so its run, belongs to this batch (a release candidate, a nightly run)."""
    trace.get_current_span().set_attribute("tracegrade.batch", name)


def set_constraints(texts: Iterable[str]) -> None:
    """The constraints that the current span's job was given; an empty list says that there are none."""
    trace.get_current_span().set_attribute("tracegrade.job.constraints", json.dumps(list(texts)))


def set_context(value: Any) -> None:
    """What the current span's job was told besides its input; anything that JSON holds."""
    trace.get_current_span().set_attribute("tracegrade.context", json.dumps(value))


def record_approval(
    tool: str, decision: str, *, call_id: str = "", source: str = "human", arguments: Any = None, reason: str = ""
) -> None:
    """A decision about a tool call: approve, reject, edit, timeout or pending; by a human, a policy or auto.

    Record `pending` when the question is put and again when it is decided; `arguments` are the final ones.
    """
    said = {
        "gen_ai.tool.name": tool,
        "gen_ai.tool.call.id": call_id,
        "tracegrade.approval.decision": decision,
        "tracegrade.approval.source": source,
        "tracegrade.approval.arguments": "" if arguments is None else json.dumps(arguments),
        "tracegrade.approval.reason": reason,
    }
    trace.get_current_span().add_event("tracegrade.approval", {key: value for key, value in said.items() if value})
