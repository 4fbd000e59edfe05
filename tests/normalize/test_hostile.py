"""Any attributes, events and logs whatever: no exception, a tree that can be written, neighbours unharmed."""

import json
from typing import Any

import orjson
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector import normalize, tree_text
from collector.normalize import messages, values
from collector.normalize.dialects import DIALECTS
from tests import captures
from tests.normalize.spans import agent, asks, chat, event, log, logs, says, table, told, tool, user

ANY_CAPTURE = st.sampled_from(captures.NAMES)
PROFILE = settings(deadline=None, suppress_health_check=list(HealthCheck))

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
    assert [tree_text.to_json(tree_text.from_json(text)).decode() for text in written] == written
    assert tree_text.to_json(normalize.trees(NEIGHBOUR, logs())[0]).decode() in written


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
