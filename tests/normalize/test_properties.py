"""What holds for every trace: order, repetition and loss of evidence, and any attributes whatever."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector import normalize, tree
from collector.decode import traces_protobuf
from collector.decode.columns import SPANS
from collector.normalize import messages, values
from collector.normalize.dialects import DIALECTS
from collector.tree import Job, Run, ToolCall
from tests import captures
from tests.normalize.spans import agent, asks, chat, event, log, logs, says, table, told, tool, user

ANY_CAPTURE = st.sampled_from(captures.NAMES)
PROFILE = settings(deadline=None, suppress_health_check=list(HealthCheck))


def texts(spans: pa.Table, records: pa.Table) -> list[bytes]:
    """The trees as JSON."""
    return [tree.to_json(run) for run in normalize.trees(spans, records)]


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


def identity(call: ToolCall) -> str:
    """What one call is known by after a loss: its id, else its execution's span."""
    return call.call_id or call.spans[0]


@cache
def losses(name: str) -> list[tuple[str, list[Run], list[Run]]]:
    """For each span of a capture: its id, the whole trees, the trees without it."""
    capture = captures.load(name)
    whole = capture.trees()
    ids = enumerate(capture.spans["span_id"].to_pylist())
    return [(span_id, whole, normalize.trees(without(capture.spans, i), capture.logs)) for i, span_id in ids]


FACTS = ("name", "state", "arguments", "result", "error", "started", "ended", "attempts")


@pytest.mark.parametrize("name", captures.NAMES)
def test_calls_that_others_witness_survive_the_loss_of_any_span(name: str) -> None:
    """A call that ran keeps all its facts when a span is lost that told nothing of it."""
    for lost, whole, after in losses(name):
        kept = {identity(call): call for job in jobs(after).values() for call in job.tool_calls if call.started}
        for job in jobs(whole).values():
            for call in job.tool_calls:
                if lost in call.spans or call.started is None:
                    continue
                now = kept[identity(call)]
                assert [getattr(now, f) for f in FACTS] == [getattr(call, f) for f in FACTS], (lost, call.name)


@pytest.mark.parametrize("name", captures.NAMES)
def test_a_loss_invents_no_words(name: str) -> None:
    """Without any one span, no job says or was asked anything but what a job says or was asked in the whole trace."""
    for lost, whole, after in losses(name):
        for fact in ("input", "reply"):
            held = {values.same_key(getattr(job, fact)) for job in jobs(whole).values()} | {"null"}
            assert {values.same_key(getattr(job, fact)) for job in jobs(after).values()} <= held, (lost, fact)


@pytest.mark.parametrize("name", captures.NAMES)
def test_a_job_never_takes_over_the_words_of_another(name: str) -> None:
    """A job that keeps its span keeps its input and its reply, or loses them with the span that told of them."""
    for lost, whole, after in losses(name):
        now = jobs(after)
        for job in jobs(whole).values():
            if lost not in job.spans:
                assert now[job.id].input in (job.input, None), lost
                assert now[job.id].reply in (job.reply, None), lost


@pytest.mark.parametrize("name", captures.NAMES)
def test_declared_facts_of_other_jobs_survive_the_loss_of_any_span(name: str) -> None:
    """A job whose own span is there keeps its agent, its declared reply and its error."""
    for lost, whole, after in losses(name):
        now = jobs(after)
        for job in jobs(whole).values():
            if lost in job.spans or job.synthetic:
                continue
            assert (now[job.id].agent, now[job.id].error) == (job.agent, job.error), lost
            if job.reply_source == "declared":
                assert now[job.id].reply == job.reply, lost


KEYS = sorted({key for dialect in DIALECTS for held in dialect.fields.values() for key in (k.path for k in held)})
MORE_KEYS = (
    "llm.input_messages.999999999.message.role", "llm.input_messages.0.message.tool_calls.99999999999.tool_call.id",
    "llm.output_messages.1.message.contents.x.message_content.text", "llm.output_messages..message.", "llm.input_messages.0.",
    "retrieval.documents.0.document.content", "gen_ai.operation.name", "openinference.span.kind", "input.value",
    "output.value", "output.mime_type", "tool.parameters", "gen_ai.input.messages", "gen_ai.output.messages",
    "gen_ai.skill.name", "pydantic_ai.all_messages", "pydantic_ai.new_message_index", "all_messages_events", "events",
    "final_result", "logfire.json_schema", "logfire.span_type", "model_request_parameters", "mcp.method.name", "agent_name",
    "error.type", "gen_ai.event.content", "test.case.name", "tracegrade.approval.decision",
)  # fmt: skip
WORDS = (
    "LLM",
    "TOOL",
    "AGENT",
    "chat",
    "invoke_agent",
    "execute_tool",
    "invoke_workflow",
    "pending_span",
    "awaiting_approval",
)
HOSTILE = (
    "[" * 5000, '{"a":' * 900 + "1" + "}" * 900, '{"a": NaN}', "1" + "0" * 400, '{"a": 1' + "0" * 400 + "}", '"\\ud800"',
    '[{"role": "user", "content": "\\udfff"}]', '{"messages": 5}', '[{"role": {"a": 1}, "parts": 7}]', "null", "", "{", "[]",
    '[{"role":"assistant","tool_calls":[{"id":5,"function":"x"},7,{"id":"c","name":["n"],"arguments":[1]}]}]',
    '{"properties": 5}', '{"output_tools": [{"name": {"a": 1}}, 5]}', '{"approvals": [5, {}], "calls": []}',
    '[{"type": "tool_call", "id": "x", "name": "y", "arguments": "' + "x" * 70_000,
)  # fmt: skip
SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20) | st.sampled_from(HOSTILE) | st.sampled_from(WORDS)
)  # fmt: skip
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
VALUE = ANYTHING | ANYTHING.map(json.dumps)
KEY = st.sampled_from(KEYS) | st.sampled_from(MORE_KEYS)
NEIGHBOUR = table([
    agent("a", "neighbour", trace="neighbour"),
    chat("m", [user("hi")], [asks(("n1", "look", {"x": 1}))], trace="neighbour", parent="a"),
    tool("x", "look", "n1", {"x": 1}, "ok", trace="neighbour", parent="a"),
    chat("n", [user("hi"), asks(("n1", "look", {"x": 1})), told("n1", "ok")], [says("Bye.")], trace="neighbour", parent="a"),
])  # fmt: skip


EVENT_NAMES = st.sampled_from((
    "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message", "gen_ai.choice", "exception",
    "gen_ai.client.inference.operation.details", "tracegrade.approval", "db.query.result", "tool.output",
))  # fmt: skip
EVENTS = st.lists(
    st.builds(
        event, EVENT_NAMES, st.dictionaries(KEY | st.sampled_from(("content", "message", "id")), VALUE, max_size=3)
    ),
    max_size=3,
)


def changed(spans: pa.Table, place: int, column: str, value: Any) -> pa.Table:
    """The rows with another JSON value in one place."""
    held = spans[column].to_pylist()
    held[place] = orjson.dumps(value).decode()
    return spans.set_column(spans.schema.get_field_index(column), column, pa.array(held, pa.string()))


@PROFILE
@given(name=ANY_CAPTURE, data=st.data())
def test_any_attributes_and_events_do_no_harm(name: str, data: st.DataObject) -> None:
    """Whatever a span holds, there are trees that can be written, and other traces' trees stay as they are."""
    spans = captures.load(name).spans
    place = data.draw(st.integers(0, spans.num_rows - 1))
    odd = data.draw(st.dictionaries(KEY, VALUE, min_size=1, max_size=4))
    spans = changed(spans, place, "attributes", orjson.loads(spans["attributes"][place].as_py()) | odd)
    spans = changed(spans, place, "events", orjson.loads(spans["events"][place].as_py()) + data.draw(EVENTS))
    record = log("x", data.draw(EVENT_NAMES), data.draw(VALUE), data.draw(st.dictionaries(KEY, VALUE, max_size=2)))
    record |= {"trace_id": spans["trace_id"][place].as_py(), "span_id": spans["span_id"][place].as_py()}
    built = normalize.build(pa.concat_tables([spans, NEIGHBOUR]), logs([record]))
    written = built.tables["runs"]["tree"].to_pylist()
    assert [tree.to_json(tree.from_json(text)).decode() for text in written] == written
    assert texts(NEIGHBOUR, logs())[0].decode() in written


READERS = (
    values.text,
    values.name,
    values.number,
    values.count,
    values.content,
    values.arguments,
    values.result,
    values.names,
)


@given(raw=st.binary(max_size=200).map(lambda b: b.decode("utf-8", "replace")) | st.sampled_from(HOSTILE) | VALUE)
@PROFILE
def test_readers_take_anything(raw: Any) -> None:
    """No reader raises, and what it gives can be written as JSON."""
    for read in READERS:
        seen = read(raw)
        assert seen is None or orjson.dumps(seen.value, option=orjson.OPT_NON_STR_KEYS)
    for message in messages.read(raw) or ():
        assert isinstance(message.role, str)
        assert all(part.id is None or isinstance(part.id, str) for part in message.parts)
        assert all(part.name is None or isinstance(part.name, str) for part in message.parts)
