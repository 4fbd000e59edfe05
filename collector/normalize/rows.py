"""Trees → rows of the canonical tables, one Arrow table each, columns as in `store/schema.sql` without the build number."""

import hashlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

import orjson
import pyarrow as pa

from collector.message import Message
from collector.normalize.assemble.joins import Reference
from collector.normalize.values import as_text
from collector.tree import Job, ModelCall, Run, ToolCall
from collector.tree_text import PROVENANCE, captures_json, to_json

_TYPES = {
    "text": pa.string(),
    "count": pa.uint32(),
    "big": pa.uint64(),
    "real": pa.float64(),
    "flag": pa.bool_(),
    "time": pa.timestamp("ns"),
    "texts": pa.list_(pa.string()),
}


def _columns(text: str) -> pa.Schema:
    """Columns in the order in which rows are written: `name`, or `name:type`."""
    named = [column.partition(":") for column in text.split()]
    return pa.schema([(name, _TYPES[kind or "text"]) for name, _, kind in named])


TABLES: dict[str, pa.Schema] = {
    "runs": _columns(
        "run_id trace_id service agent status error input reply conversation_id case_name suite_name batch capture"
        " attributes tree_digest messages_digest tree started:time ended:time seconds:real open:flag jobs:count"
        " tool_calls:count model_calls:count input_tokens:big output_tokens:big cost_usd:real dialects:texts"
    ),
    "run_members": _columns("run_id trace_id reason"),
    "jobs": _columns(
        "run_id job_id parent_job_id trace_id agent via status error conversation_id input reply reply_source capture"
        " depth:count started:time ended:time steps:count spans:texts"
    ),
    "tool_calls": _columns(
        "run_id job_id seq:count agent name call_id qualified kind state error attempts:count started:time ended:time"
        " flags:texts spans:texts arguments_capture result_capture arguments requested_arguments result"
    ),
    "model_calls": _columns(
        "run_id job_id seq:count model provider response_id finish_reason error input_tokens:big output_tokens:big"
        " cache_read_tokens:big cache_write_tokens:big reasoning_tokens:big cost_usd:real started:time ended:time"
        " spans:texts"
    ),
    "delegations": _columns("run_id parent_job_id child_job_id child_agent mode tool call_id payload reason"),
    "approvals": _columns(
        "run_id job_id tool call_id kind decision source reason requested_at:time decided_at:time spans:texts"
        " requested_arguments final_arguments"
    ),
    "skill_reads": _columns("run_id job_id name resource source declared:flag at:time spans:texts"),
    "constraints": _columns("run_id job_id text position:count"),
    "retrievals": _columns("run_id job_id query documents at:time spans:texts"),
    "messages": _columns("run_id job_id position:count role text call_id finish at:time flags:texts spans:texts calls"),
}
REFERENCES = _columns("trace_id kind key role")
SPOKE = _columns("trace_id dialects:texts")


def _getter(table: str, first: str, last: str) -> Any:
    """What reads the columns from `first` to `last` from an object, whose fields have their names."""
    names = TABLES[table].names
    return attrgetter(*names[names.index(first) : names.index(last) + 1])


_of_tool_call = _getter("tool_calls", "name", "result_capture")
_of_model_call = _getter("model_calls", "model", "spans")
_consumed = attrgetter("input_tokens", "output_tokens", "cost_usd")
_of_approval = _getter("approvals", "tool", "spans")
_of_skill = _getter("skill_reads", "name", "spans")
_of_message = _getter("messages", "role", "spans")
_facts_of_message = attrgetter(*sorted({f.name for f in fields(Message)} - PROVENANCE))
_LATEST = 2**63 - 1
_MOST = 2**64 - 1  # what a column of counts holds, should somebody count in absurd figures


@dataclass(frozen=True, slots=True)
class Built:
    """What the normalizer made of whole traces: rows by canonical table, and what the traces offer and want.

    `spoke` says which dialects spoke about each trace, `versions` which version of each (and of the assembler).
    """

    references: pa.Table
    tables: dict[str, pa.Table]
    spoke: pa.Table
    versions: Mapping[str, str]


def lay_out(
    runs: list[Run], references: list[Reference], spoke: Mapping[str, AbstractSet[str]], versions: Mapping[str, str]
) -> Built:
    """Trees as rows."""
    rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
    for run in runs:
        rows["runs"].append(_run(run))
        rows["run_members"] += [(run.id, member.trace_id, member.reason) for member in run.members]
        _jobs(run, rows)
    tables = {name: _table(rows[name], schema) for name, schema in TABLES.items()}
    heard = [(trace, sorted(spoke[trace])) for trace in sorted(spoke)]
    return Built(_table(references, REFERENCES), tables, _table(heard, SPOKE), versions)


def _table(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    if not rows:
        return schema.empty_table()
    columns = zip(*rows, strict=True)
    return pa.table([_column(values, field) for values, field in zip(columns, schema, strict=True)], schema=schema)


def _column(values: Sequence[Any], field: pa.Field) -> pa.Array:
    if field.type == _TYPES["time"]:
        try:
            return pa.array(values, field.type)
        except OverflowError:  # so late that no column holds it
            values = [value if value is None or value <= _LATEST else None for value in values]
    elif field.type == _TYPES["real"]:  # Arrow refuses whole numbers that no double holds exactly
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, field.type)


def _run(run: Run) -> tuple[Any, ...]:
    jobs = list(run.root.walk())
    models = [call for job in jobs for call in job.model_calls]
    root = run.root
    return (
        run.id, root.trace_id, run.service, root.agent, root.status, root.error, _words(root.input), _words(root.reply),
        root.conversation_id, run.case_name, run.suite_name, run.batch, captures_json(run.capture), _json(run.attributes),
        run.digest, _messages_digest(jobs), to_json(run).decode(), root.started, root.ended,
        (root.ended - root.started) / 1e9 if root.started and root.ended else None,
        run.open, len(jobs), sum([len(job.tool_calls) for job in jobs]), len(models),
        *(_totals(models) if models else (None, None, None)), run.dialects,
    )  # fmt: skip


def _messages_digest(jobs: list[Job]) -> str | None:
    """Equal for equal conversations of the same jobs, whatever spans told of them; None where there are none."""
    told = [(job.id, [_facts_of_message(message) for message in job.messages]) for job in jobs if job.messages]
    return hashlib.blake2b(orjson.dumps(told), digest_size=16).hexdigest() if told else None


def _totals(models: list[ModelCall]) -> list[Any]:
    """The sums of tokens and cost over what was captured; None where nothing was (never 0)."""
    told = zip(*map(_consumed, models), strict=True)
    known = [[value for value in values if value is not None] for values in told]
    return [min(sum(values), _MOST) if values else None for values in known]


def _jobs(run: Run, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    stack: list[tuple[Job, Job | None, int]] = [(run.root, None, 0)]
    while stack:
        job, parent, depth = stack.pop()
        _job(run.id, job, parent, depth, rows)
        stack.extend([(child, job, depth + 1) for child in reversed(job.jobs)])


def _job(run_id: str, job: Job, parent: Job | None, depth: int, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    own = (run_id, job.id)
    rows["jobs"].append((
        *own, parent.id if parent else None, job.trace_id, job.agent, job.via, job.status, job.error,
        job.conversation_id, _words(job.input), _words(job.reply), job.reply_source, captures_json(job.capture),
        depth, job.started, job.ended, job.steps, job.spans,
    ))  # fmt: skip
    rows["tool_calls"] += [_tool_call(own, job.agent, seq, call) for seq, call in enumerate(job.tool_calls)]
    rows["model_calls"] += [(*own, seq, *_of_model_call(call)) for seq, call in enumerate(job.model_calls)]
    if parent is not None and job.delegation is not None:
        edge = job.delegation
        payload = _held(edge.payload, edge.payload_capture)
        rows["delegations"].append(
            (run_id, parent.id, job.id, job.agent, edge.mode, edge.tool, edge.call_id, payload, edge.reason)
        )
    for approval in job.approvals:
        arguments = (_some(approval.requested_arguments), _some(approval.final_arguments))
        rows["approvals"].append((*own, *_of_approval(approval), *arguments))
    rows["skill_reads"] += [(*own, *_of_skill(skill)) for skill in job.skills]
    rows["constraints"] += [(*own, text, position) for position, text in enumerate(job.constraints or ())]
    rows["retrievals"] += [(*own, r.query, _json(r.documents), r.at, r.spans) for r in job.retrievals]
    rows["messages"] += [
        (*own, position, *_of_message(said), _json(said.calls) if said.calls else None)
        for position, said in enumerate(job.messages)
    ]


def _tool_call(own: tuple[str, str], agent: str | None, seq: int, call: ToolCall) -> tuple[Any, ...]:
    return (
        *own, seq, agent, *_of_tool_call(call), _held(call.arguments, call.arguments_capture),
        _held(call.requested_arguments, call.requested_capture), _held(call.result, call.result_capture),
    )  # fmt: skip


def _words(value: Any) -> str | None:
    return None if value is None else as_text(value)


def _held(value: Any, capture: str) -> str | None:
    return _json(value) if capture == "present" else None


def _some(value: Any) -> str | None:
    return None if value is None else _json(value)


def _json(value: Any) -> str:
    return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
