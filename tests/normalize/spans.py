"""Spans written by hand: a test case is a few readable rows, in the order of their starts.

Ids are short words, times are small numbers; what a test does not care about has a default. Every row starts one
microsecond after the one before it, and ends after everything below it has ended.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from collector import normalize
from collector.decode.columns import LOGS, SPANS
from collector.normalize.dialect import Sighting
from collector.normalize.reading import Span, read
from collector.normalize.sight import sight
from collector.tree import Job, Run

Row = dict[str, Any]

FIELDS = frozenset(
    ("parent", "trace", "name", "kind", "start", "end", "error", "ok", "events", "links", "scope", "resource", "flags",
     "dropped")
)  # fmt: skip
TICK = 1_000
"""Nanoseconds between the starts of two rows."""


def row(span_id: str, attributes: Mapping[str, Any] | None = None, /, **fields: Any) -> Row:
    """One span; `fields` are those below, of which `end` 0 is a span that has not ended, and `error` a status message."""
    assert fields.keys() <= FIELDS, fields.keys() - FIELDS
    return {
        "trace_id": fields.get("trace", "t"),
        "span_id": span_id,
        "parent_span_id": fields.get("parent"),
        "name": fields.get("name", "work"),
        "kind": fields.get("kind", 1),
        "start_ns": fields.get("start"),
        "end_ns": fields.get("end"),
        "status_code": 2 if "error" in fields else 1 if fields.get("ok") else 0,
        "status_message": fields.get("error"),
        "attributes": json.dumps(dict(attributes or {})),
        "scope_name": fields.get("scope", ""),
        "resource": json.dumps(fields.get("resource", {"service.name": "shop"})),
        "dropped_attributes_count": fields.get("dropped", 0),
        "flags": fields.get("flags", 0),
        "events": json.dumps(list(fields.get("events", ()))),
        "links": json.dumps(list(fields.get("links", ()))),
    }


def event(name: str, attributes: Mapping[str, Any] | None = None, at: int = 1) -> dict[str, Any]:
    """A span event."""
    return {"name": name, "time_unix_nano": at, "attributes": dict(attributes or {})}


def exception(kind: str, message: str = "") -> dict[str, Any]:
    """The event by which an SDK records an exception."""
    return event("exception", {"exception.type": kind, "exception.message": message})


def link(span_id: str, trace: str = "t", **attributes: Any) -> dict[str, Any]:
    """A link to a span."""
    return {"trace_id": trace, "span_id": span_id, "attributes": attributes}


def log(span_id: str, name: str, body: Any = None, attributes: Mapping[str, Any] | None = None, at: int = 1) -> Row:
    """A log record that names a span of trace `t`."""
    return {
        "trace_id": "t",
        "span_id": span_id,
        "time_ns": at,
        "event_name": name,
        "attributes": json.dumps(dict(attributes or {})),
        "body": None if body is None else json.dumps(body),
    }


def agent(span_id: str, name: str = "support", more: Mapping[str, Any] | None = None, /, **fields: Any) -> Row:
    """An agent's run, as the semantic conventions write it."""
    held = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name, **(more or {})}
    return row(span_id, held, name=f"invoke_agent {name}", **fields)


def chat(
    span_id: str, given: list[Any] | None = None, made: list[Any] | None = None, more: Mapping[str, Any] | None = None,
    /, **fields: Any,
) -> Row:  # fmt: skip
    """A model call; `given` and `made` are messages, see `user`, `says`, `asks` and `told`."""
    held = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", **(more or {})}
    for key, messages in (("gen_ai.input.messages", given), ("gen_ai.output.messages", made)):
        if messages is not None:
            held[key] = json.dumps(messages)
    return row(span_id, held, name="chat m", **fields)


def tool(
    span_id: str, name: str, call_id: str | None = None, arguments: Any = None, result: Any = None,
    more: Mapping[str, Any] | None = None, /, **fields: Any,
) -> Row:  # fmt: skip
    """A tool's execution; what is None is not recorded."""
    facts = {"call.id": call_id, "call.arguments": arguments, "call.result": result}
    held = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    held |= {f"gen_ai.tool.{key}": value for key, value in facts.items() if value is not None}
    return row(span_id, {**held, **(more or {})}, name=f"execute_tool {name}", **fields)


def user(text: str) -> dict[str, Any]:
    """What a person said."""
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


def says(text: str) -> dict[str, Any]:
    """What the model said."""
    return {"role": "assistant", "parts": [{"type": "text", "content": text}], "finish_reason": "stop"}


def asks(*calls: tuple[str | None, str, Any]) -> dict[str, Any]:
    """The model asks for calls: (id, name, arguments)."""
    parts = [{"type": "tool_call", "id": i, "name": n, "arguments": a} for i, n, a in calls]
    return {"role": "assistant", "parts": parts}


def told(call_id: str | None, response: Any) -> dict[str, Any]:
    """A call's result, as the model sees it."""
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": response}]}


def table(rows: Iterable[Row]) -> pa.Table:
    """Rows of the view `spans`; a row without times gets those of its place."""
    placed: list[Row] = []
    ends: dict[Any, int] = {}
    for position, given in reversed(list(enumerate(rows, start=1))):
        held = {"start_ns": TICK * position} | {k: v for k, v in given.items() if v is not None}
        last = ends.get((held["trace_id"], held["span_id"]), 0)
        held.setdefault("end_ns", max(held["start_ns"] + TICK // 2, last + 1))
        above = (held["trace_id"], held.get("parent_span_id"))
        ends[above] = max(ends.get(above, 0), held["end_ns"])
        placed.append(held)
    return pa.table(
        {name: [r.get(name) for r in reversed(placed)] for name in SPANS}, schema=pa.schema(list(SPANS.items()))
    )


def logs(rows: Iterable[Row] = ()) -> pa.Table:
    """Rows of the view `logs`."""
    rows = list(rows)
    return pa.table({name: [r.get(name) for r in rows] for name in LOGS}, schema=pa.schema(list(LOGS.items())))


def spans(*rows: Row, told_by: Iterable[Row] = ()) -> list[Span]:
    """The rows as decoded spans; `told_by` are logs."""
    return read(table(rows), logs(told_by))


def seen(*rows: Row, told_by: Iterable[Row] = ()) -> Sighting:
    """What the dialects say about the first row."""
    return sight(spans(*rows, told_by=told_by)[0])


def sighted(*rows: Row) -> list[tuple[Span, Sighting]]:
    """The rows as the assembler gets them."""
    return [(span, sight(span)) for span in spans(*rows)]


def runs(*rows: Row, told_by: Iterable[Row] = ()) -> list[Run]:
    """The runs that the rows tell of."""
    return normalize.trees(table(rows), logs(told_by))


def run(*rows: Row, told_by: Iterable[Row] = ()) -> Run:
    """The one run that the rows tell of."""
    (only,) = runs(*rows, told_by=told_by)
    return only


def job(*rows: Row, told_by: Iterable[Row] = ()) -> Job:
    """The root job of the one run that the rows tell of."""
    return run(*rows, told_by=told_by).root
