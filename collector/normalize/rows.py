"""Trees → rows of the canonical tables, one Arrow table each, columns as in `store/schema.sql` without the build number."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any

import orjson
import pyarrow as pa

from collector.message import Message
from collector.normalize.assemble.joins import Reference
from collector.normalize.values import as_text
from collector.tree import Capture, Job, Run
from collector.tree_text import PROVENANCE, captures_json, to_json

_TEXT, _COUNT, _REAL, _FLAG = pa.string(), pa.uint32(), pa.float64(), pa.bool_()
_BIG, _TIME, _TEXTS = pa.uint64(), pa.timestamp("ns"), pa.list_(pa.string())


def _columns(text: str = "", **typed: pa.DataType) -> pa.Schema:
    return pa.schema([(name, _TEXT) for name in text.split()] + list(typed.items()))


TABLES: dict[str, pa.Schema] = {
    "runs": _columns(
        "run_id trace_id service agent status error input reply conversation_id case_name suite_name batch capture"
        " attributes tree_digest messages_digest tree",
        started=_TIME, ended=_TIME, seconds=_REAL, open=_FLAG, jobs=_COUNT, tool_calls=_COUNT, model_calls=_COUNT,
        input_tokens=_BIG, output_tokens=_BIG, cost_usd=_REAL, dialects=_TEXTS,
    ),
    "run_members": _columns("run_id trace_id reason"),
    "jobs": _columns(
        "run_id job_id parent_job_id trace_id agent via status error conversation_id input reply reply_source capture",
        depth=_COUNT, started=_TIME, ended=_TIME, steps=_COUNT, spans=_TEXTS,
    ),
    "tool_calls": _columns(
        "run_id job_id call_id name qualified kind agent state arguments arguments_capture requested_arguments result"
        " result_capture error",
        seq=_COUNT, attempts=_COUNT, started=_TIME, ended=_TIME, flags=_TEXTS, spans=_TEXTS,
    ),
    "model_calls": _columns(
        "run_id job_id model provider response_id finish_reason error",
        seq=_COUNT, input_tokens=_BIG, output_tokens=_BIG, cache_read_tokens=_BIG, cache_write_tokens=_BIG,
        reasoning_tokens=_BIG, cost_usd=_REAL, started=_TIME, ended=_TIME, spans=_TEXTS,
    ),
    "delegations": _columns("run_id parent_job_id child_job_id child_agent mode tool call_id payload reason"),
    "approvals": _columns(
        "run_id job_id tool call_id kind decision source requested_arguments final_arguments reason",
        requested_at=_TIME, decided_at=_TIME, spans=_TEXTS,
    ),
    "skill_reads": _columns("run_id job_id name resource source", declared=_FLAG, at=_TIME, spans=_TEXTS),
    "constraints": _columns("run_id job_id text", position=_COUNT),
    "retrievals": _columns("run_id job_id query documents", at=_TIME, spans=_TEXTS),
    "messages": _columns(
        "run_id job_id role text calls call_id finish", position=_COUNT, at=_TIME, flags=_TEXTS, spans=_TEXTS
    ),
}  # fmt: skip
REFERENCES = _columns("trace_id kind key role")
SPOKE = _columns("trace_id", dialects=_TEXTS)

_of_message = attrgetter(*sorted({f.name for f in fields(Message)} - PROVENANCE))
_TIMES = frozenset({"started", "ended", "at", "requested_at", "decided_at"})
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
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    for run in runs:
        rows["runs"].append(_run(run))
        rows["run_members"] += [{"trace_id": m.trace_id, "reason": m.reason, "run_id": run.id} for m in run.members]
        _jobs(run, rows)
    tables = {name: _table(rows[name], schema) for name, schema in TABLES.items()}
    told = _table([reference._asdict() for reference in references], REFERENCES)
    heard = [{"trace_id": trace, "dialects": sorted(spoke[trace])} for trace in sorted(spoke)]
    return Built(told, tables, pa.Table.from_pylist(heard, schema=SPOKE), versions)


def _table(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    if not rows:
        return schema.empty_table()
    cells = zip(*map(itemgetter(*schema.names), rows), strict=True)
    return pa.table([_column(values, field) for values, field in zip(cells, schema, strict=True)], schema=schema)


def _column(values: Sequence[Any], field: pa.Field) -> pa.Array:
    if field.name in _TIMES:
        values = [value if value is None or value <= _LATEST else None for value in values]
    elif field.type == _REAL:  # Arrow refuses whole numbers that no double holds exactly
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, field.type)


def _run(run: Run) -> dict[str, Any]:
    jobs = list(run.root.walk())
    models = [call for job in jobs for call in job.model_calls]
    root = run.root
    return {
        "run_id": run.id,
        "trace_id": root.trace_id,
        "service": run.service,
        "agent": root.agent,
        "status": root.status,
        "error": root.error,
        "input": _words(root.input),
        "reply": _words(root.reply),
        "conversation_id": root.conversation_id,
        "case_name": run.case_name,
        "suite_name": run.suite_name,
        "batch": run.batch,
        "capture": _captures(run.capture),
        "attributes": _json(run.attributes),
        "tree_digest": run.digest,
        "messages_digest": _messages_digest(jobs),
        "tree": to_json(run).decode(),
        "started": root.started,
        "ended": root.ended,
        "seconds": (root.ended - root.started) / 1e9 if root.started and root.ended else None,
        "open": run.open,
        "jobs": len(jobs),
        "tool_calls": sum(len(job.tool_calls) for job in jobs),
        "model_calls": len(models),
        "input_tokens": _sum(call.input_tokens for call in models),
        "output_tokens": _sum(call.output_tokens for call in models),
        "cost_usd": _sum(call.cost_usd for call in models),
        "dialects": run.dialects,
    }


def _messages_digest(jobs: list[Job]) -> str | None:
    """Equal for equal conversations of the same jobs, whatever spans told of them; None where there are none."""
    told = [(job.id, [_of_message(message) for message in job.messages]) for job in jobs if job.messages]
    return hashlib.blake2b(orjson.dumps(told), digest_size=16).hexdigest() if told else None


def _sum(values: Iterable[Any]) -> Any:
    """The sum of what was captured; None where nothing was (never 0)."""
    known = [value for value in values if value is not None]
    return min(sum(known), _MOST) if known else None


def _jobs(run: Run, rows: dict[str, list[dict[str, Any]]]) -> None:
    stack: list[tuple[Job, Job | None, int]] = [(run.root, None, 0)]
    while stack:
        job, parent, depth = stack.pop()
        _job(run.id, job, parent, depth, rows)
        stack.extend((child, job, depth + 1) for child in reversed(job.jobs))


def _job(run_id: str, job: Job, parent: Job | None, depth: int, rows: dict[str, list[dict[str, Any]]]) -> None:
    own = {"run_id": run_id, "job_id": job.id}
    rows["jobs"].append({
        **own, "parent_job_id": parent.id if parent else None, "depth": depth, "trace_id": job.trace_id,
        "agent": job.agent, "via": job.via, "status": job.status, "error": job.error,
        "conversation_id": job.conversation_id, "input": _words(job.input), "reply": _words(job.reply),
        "reply_source": job.reply_source, "started": job.started, "ended": job.ended, "steps": job.steps,
        "capture": _captures(job.capture), "spans": job.spans,
    })  # fmt: skip
    for seq, call in enumerate(job.tool_calls):
        rows["tool_calls"].append({
            **own, "seq": seq, "agent": job.agent, **_fields(call),
            "arguments": _held(call.arguments, call.arguments_capture),
            "requested_arguments": _held(call.requested_arguments, call.requested_capture),
            "result": _held(call.result, call.result_capture),
        })  # fmt: skip
    for seq, model in enumerate(job.model_calls):
        rows["model_calls"].append({**own, "seq": seq, **_fields(model)})
    if parent is not None and job.delegation is not None:
        edge = job.delegation
        rows["delegations"].append({
            "run_id": run_id, "parent_job_id": parent.id, "child_job_id": job.id, "child_agent": job.agent,
            "mode": edge.mode, "tool": edge.tool, "call_id": edge.call_id, "reason": edge.reason,
            "payload": _held(edge.payload, edge.payload_capture),
        })  # fmt: skip
    for approval in job.approvals:
        rows["approvals"].append({
            **own, **_fields(approval),
            "requested_arguments": _some(approval.requested_arguments), "final_arguments": _some(approval.final_arguments),
        })  # fmt: skip
    rows["skill_reads"] += [{**own, **_fields(skill)} for skill in job.skills]
    rows["constraints"] += [{**own, "position": i, "text": text} for i, text in enumerate(job.constraints or ())]
    rows["retrievals"] += [{**own, **_fields(found), "documents": _json(found.documents)} for found in job.retrievals]

    rows["messages"] += [
        {**own, "position": i, **_fields(said), "calls": _json(said.calls) if said.calls else None}
        for i, said in enumerate(job.messages)
    ]


def _fields(part: Any) -> dict[str, Any]:
    names, getter = _slots(type(part))
    return dict(zip(names, getter(part), strict=True))


@cache
def _slots(cls: Any) -> tuple[tuple[str, ...], Any]:
    names: tuple[str, ...] = cls.__slots__
    return names, attrgetter(*names)


def _words(value: Any) -> str | None:
    return None if value is None else as_text(value)


def _held(value: Any, capture: str) -> str | None:
    return _json(value) if capture == "present" else None


def _some(value: Any) -> str | None:
    return None if value is None else _json(value)


def _json(value: Any) -> str:
    return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


def _captures(captures: dict[str, Capture]) -> str:
    return captures_json(captures).decode()
