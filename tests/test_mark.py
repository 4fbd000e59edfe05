"""The marks, set through the API and read back from the real SDK's spans."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Tracer

from collector import mark


class Recorder:
    """A tracer with the marks' processor, and the spans that have ended."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(mark.MarkSpans())
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.provider, self.tracer = provider, provider.get_tracer("test")

    def attributes(self, name: str) -> dict[str, object]:
        """The attributes of the span of this name."""
        return dict(self.span(name).attributes or {})

    def span(self, name: str) -> ReadableSpan:
        """The span of this name."""
        return next(s for s in self.exporter.get_finished_spans() if s.name == name)


@pytest.fixture
def recorder() -> Recorder:
    """Spans that the processor has marked."""
    return Recorder()


def spans_below(tracer: Tracer) -> None:
    """A span within a span."""
    with tracer.start_as_current_span("job"), tracer.start_as_current_span("tool"):
        pass


def test_case_marks_every_span_below(recorder: Recorder) -> None:
    """The name of a case and of its suite stand on every span that starts inside."""
    with mark.case("looks up first", suite="refunds", batch="nightly-7"):
        spans_below(recorder.tracer)
    said = {"test.case.name": "looks up first", "test.suite.name": "refunds", "tracegrade.batch": "nightly-7"}
    assert recorder.attributes("job") == recorder.attributes("tool") == said


def test_case_ends_with_its_block(recorder: Recorder) -> None:
    """A span that starts after the block carries no case, even when the block was left by an error."""
    with pytest.raises(ZeroDivisionError), mark.case("one"):
        _ = 1 // 0
    spans_below(recorder.tracer)
    assert recorder.attributes("job") == {}


def test_cases_in_threads_do_not_mix(recorder: Recorder) -> None:
    """Two threads that run two cases at once mark their own spans only."""
    both = threading.Barrier(2)

    def run(name: str) -> None:
        with mark.case(name):
            both.wait()
            with recorder.tracer.start_as_current_span(name):
                both.wait()

    threads = [threading.Thread(target=run, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert recorder.attributes("a") == {"test.case.name": "a"}
    assert recorder.attributes("b") == {"test.case.name": "b"}


@given(name=st.text(min_size=1), inner=st.text(min_size=1))
def test_inner_case_wins_and_outer_returns(name: str, inner: str) -> None:
    """Any names nest: the inner case marks its spans, and the outer one those after it."""
    recorder = Recorder()
    with mark.case(name):
        with mark.case(inner):
            spans_below(recorder.tracer)
        with recorder.tracer.start_as_current_span("after"):
            pass
    assert recorder.attributes("job") == {"test.case.name": inner}
    assert recorder.attributes("after") == {"test.case.name": name}


def test_setters_write_json_on_the_current_span(recorder: Recorder) -> None:
    """Constraints and context are JSON texts on the current span, and the batch is a string."""
    with recorder.tracer.start_as_current_span("job"):
        mark.set_constraints(c for c in ["no mail", "EU only"])
        mark.set_context({"tier": "gold"})
        mark.set_batch("rc-1")
    said = recorder.attributes("job")
    assert json.loads(str(said["tracegrade.job.constraints"])) == ["no mail", "EU only"]
    assert json.loads(str(said["tracegrade.context"])) == {"tier": "gold"}
    assert said["tracegrade.batch"] == "rc-1"


def test_approval_is_an_event_with_what_was_said(recorder: Recorder) -> None:
    """An approval becomes one event, which names only what was given."""
    with recorder.tracer.start_as_current_span("job"):
        mark.record_approval("payments.refund", "pending", call_id="call_1")
        mark.record_approval("payments.refund", "edit", call_id="call_1", arguments={"amount": 40}, reason="too much")
    pending, edit = recorder.span("job").events
    assert pending.name == edit.name == "tracegrade.approval"
    assert dict(pending.attributes or {}) == {
        "gen_ai.tool.name": "payments.refund",
        "gen_ai.tool.call.id": "call_1",
        "tracegrade.approval.decision": "pending",
        "tracegrade.approval.source": "human",
    }
    assert (edit.attributes or {})["tracegrade.approval.arguments"] == '{"amount": 40}'
    assert (edit.attributes or {})["tracegrade.approval.reason"] == "too much"


def test_marks_without_a_span_do_nothing() -> None:
    """Outside of any span the setters are harmless, as the API's own are."""
    mark.set_batch("b")
    mark.set_constraints([])
    mark.record_approval("t", "approve")


def test_processor_ends_well(recorder: Recorder) -> None:
    """The provider can flush and shut down, for which the processor needs the SDK's shape alone."""
    assert recorder.provider.force_flush()
    recorder.provider.shutdown()
