"""What holds for every trace: order, repetition and loss of evidence change no fact that others witness."""

from collections.abc import Iterator
from functools import cache

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector import normalize, tree_text
from collector.decode import traces_protobuf
from collector.decode.columns import SPANS
from collector.normalize import values
from collector.normalize.reading import read
from collector.normalize.sight import sight
from collector.tree import Job, Run, ToolCall
from tests import captures

ANY_CAPTURE = st.sampled_from(captures.NAMES)
PROFILE = settings(deadline=None, suppress_health_check=list(HealthCheck))


def texts(spans: pa.Table, records: pa.Table) -> list[bytes]:
    """The trees as JSON."""
    return [tree_text.to_json(run) for run in normalize.trees(spans, records)]


def unique(spans: pa.Table) -> pa.Table:
    """Rows without those that were delivered before, as the store leaves them out."""
    keys = zip(*(spans[name].to_pylist() for name in ("trace_id", "span_id", "content_hash")), strict=True)
    first = {key: place for place, key in reversed(list(enumerate(keys)))}
    return spans.take(sorted(first.values()))


def without(spans: pa.Table, lost: int) -> pa.Table:
    """All rows but one."""
    return pa.concat_tables([spans.slice(0, lost), spans.slice(lost + 1)])


@PROFILE
@given(name=ANY_CAPTURE, data=st.data())
def test_order_and_repetition_change_nothing(name: str, data: st.DataObject) -> None:
    """Rows in any order, delivered twice, give the same trees byte for byte."""
    capture = captures.load(name)
    order = data.draw(st.permutations(range(capture.spans.num_rows)))
    again = data.draw(st.lists(st.sampled_from(order), max_size=len(order)))
    delivered = unique(capture.spans.take([*order, *again]))
    assert texts(delivered, capture.logs) == texts(capture.spans, capture.logs)


@pytest.mark.parametrize("name", captures.NAMES)
def test_requests_split_span_by_span_change_nothing(name: str) -> None:
    """One request a span, last span first, gives the trees of the requests as they were sent."""
    capture = captures.load(name)
    bodies = [path for path in (captures.FOLDER / name).glob("*.pb") if path.name.count(".") == 1]
    if not bodies:
        pytest.skip("was sent as JSON")
    sent = [request for body in bodies for request in split(body.read_bytes())]
    decoded = [traces_protobuf(request).columns for request in reversed(sent)]
    columns = {column: [value for part in decoded for value in part[column]] for column in SPANS}
    assert texts(pa.table(columns, schema=capture.spans.schema), capture.logs) == texts(capture.spans, capture.logs)


def split(body: bytes) -> Iterator[bytes]:
    """One request for each span of a request."""
    whole = ExportTraceServiceRequest.FromString(body)
    for group in whole.resource_spans:
        for scope in group.scope_spans:
            for span in scope.spans:
                one = ExportTraceServiceRequest()
                to = one.resource_spans.add(resource=group.resource, schema_url=group.schema_url)
                to.scope_spans.add(scope=scope.scope, schema_url=scope.schema_url, spans=[span])
                yield one.SerializeToString()


@PROFILE
@given(names=st.lists(ANY_CAPTURE, min_size=2, max_size=4, unique=True))
def test_traces_that_have_nothing_to_do_with_each_other_change_nothing(names: list[str]) -> None:
    """A run's tree is the same however many other traces are built with it."""
    loaded = [captures.load(name) for name in names]
    together = texts(pa.concat_tables([c.spans for c in loaded]), pa.concat_tables([c.logs for c in loaded]))
    assert sorted(together) == sorted(text for c in loaded for text in texts(c.spans, c.logs))


def jobs(runs: list[Run]) -> dict[str, Job]:
    """Jobs by id."""
    return {job.id: job for run in runs for job in run.root.walk()}


def identity(call: ToolCall) -> tuple[str, int | None]:
    """What one call that ran is known by after a loss: its id, else its execution's span, and when it began."""
    return (call.call_id or call.spans[0], call.started)


@cache
def losses(name: str) -> list[tuple[str, list[Run], list[Run]]]:
    """For each span of a capture: its id, the whole trees, the trees without it."""
    capture = captures.load(name)
    whole = capture.trees()
    ids = enumerate(capture.spans["span_id"].to_pylist())
    return [(span_id, whole, normalize.trees(without(capture.spans, i), capture.logs)) for i, span_id in ids]


CERTAIN = ("name", "started", "ended", "attempts")
IF_WITNESSED = ("arguments", "result", "error")


@pytest.mark.parametrize("name", captures.NAMES)
def test_calls_that_others_witness_survive_the_loss_of_any_span(name: str) -> None:
    """A call that ran is still there, once, when a span is lost that is none of its own; facts may go, none may change."""
    for lost, whole, after in losses(name):
        found = [(identity(call), call) for job in jobs(after).values() for call in job.tool_calls if call.started]
        kept = dict(found)
        assert len(kept) == len(found), lost
        for job in jobs(whole).values():
            for call in job.tool_calls:
                if lost in call.spans or call.started is None:
                    continue
                now = kept[identity(call)]
                assert [getattr(now, f) for f in CERTAIN] == [getattr(call, f) for f in CERTAIN], lost
                for fact in IF_WITNESSED:
                    assert getattr(now, fact) in (getattr(call, fact), None), (lost, fact)


def spoken(job: Job) -> list[str]:
    """Input and reply of a job as text."""
    return [values.as_text(words) for words in (job.input, job.reply) if words is not None]


@pytest.mark.parametrize("name", captures.NAMES)
def test_a_loss_invents_no_words(name: str) -> None:
    """Without any one span, no job says or was asked anything that holds no words of the whole trace's jobs."""
    for lost, whole, after in losses(name):
        held = [words for job in jobs(whole).values() for words in spoken(job)]
        for job in jobs(after).values():
            for words in spoken(job):
                assert any(known in words for known in held), (lost, words)


@pytest.mark.parametrize("name", captures.NAMES)
def test_a_job_never_takes_over_the_words_of_another(name: str) -> None:
    """A job that keeps its span keeps its input and its reply, or loses them with the span that told of them."""
    for lost, whole, after in losses(name):
        now = jobs(after)
        for job in jobs(whole).values():
            if lost in job.spans or job.id not in now:
                continue
            for fact in ("input", "reply"):
                was, words = getattr(job, fact), getattr(now[job.id], fact)
                assert words in (was, None) or values.as_text(was) in values.as_text(words), (lost, fact)


@cache
def tellers(name: str) -> dict[str, set[str]]:
    """By agent's name the spans of a capture that tell it, of themselves or of others."""
    capture = captures.load(name)
    out: dict[str, set[str]] = {}
    for span in read(capture.spans, capture.logs):
        said = sight(span)
        told = (said.agent, said.turn, said.runs, said.handed_to, said.handed_from, said.child_agent)
        for agent in {*(value.value for value in told if value is not None), said.graph or ""}:
            out.setdefault(agent, set()).add(span.span_id)
    return out


def worked(job: Job) -> set[str]:
    """The spans that a job's calls and model calls are known from."""
    return {span for done in (*job.tool_calls, *job.model_calls) for span in done.spans}


@pytest.mark.parametrize("name", captures.NAMES)
def test_declared_facts_of_other_jobs_survive_the_loss_of_any_span(name: str) -> None:
    """A job whose own span is there keeps its agent, its error and its declared reply.

    A name that the lost span alone told (as the mark that an agent's turn begins) was witnessed by nothing else: it may be
    unknown then, never another. A job that has no span of its own is known from what names it or from what it did: where the
    lost span was all there is of either, no witness of the job is left.
    """
    for lost, whole, after in losses(name):
        now = jobs(after)
        for job in jobs(whole).values():
            if lost in job.spans or job.synthetic or job.agent is None:  # a container around a single job is none
                continue
            alone = tellers(name).get(job.agent) == {lost}
            if not job.spans and (alone or worked(job) == {lost}):
                continue
            assert now[job.id].agent == job.agent or (alone and now[job.id].agent is None), lost
            assert now[job.id].error == job.error, lost
            if job.reply_source == "declared":
                assert now[job.id].reply == job.reply, lost


@pytest.mark.parametrize("name", captures.NAMES)
def test_a_lost_parent_is_told_by_every_job_of_its_time(name: str) -> None:
    """Where the loss left a dangling parent, no job that ran then claims to know all its calls."""
    spans = captures.load(name).spans
    below: dict[str, list[tuple[str, int]]] = {}
    columns = (spans[column].to_pylist() for column in ("parent_span_id", "trace_id", "start_ns", "flags"))
    for parent, trace_id, start, flags in zip(*columns, strict=True):
        if parent and not flags & 0x200:
            below.setdefault(parent, []).append((trace_id, start))
    for lost, _, after in losses(name):
        for job in jobs(after).values():
            at = [t for trace_id, t in below.get(lost, ()) if trace_id == job.trace_id]
            if any((job.started or 0) <= t <= (job.ended or t) for t in at):
                assert job.capture["tools"].state != "present", (lost, job.agent)
