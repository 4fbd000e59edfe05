"""What each service's traces can and cannot show, and what would make them show more."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.cli.instrumentation import known_by, switches
from collector.cli.rebuilding import outdated
from collector.store.protocol import Store
from collector.tree import CAPTURE_KINDS

CONTENT = frozenset({"content_off", "redacted", "requests_not_recorded"})
"""Reasons that a framework's switch removes."""

FIGURES = frozenset({"cost"})
"""Kinds that are no content: no switch of content brings them."""

BY_REASON = {
    "truncated": "raise or unset OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT and OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT",
    "unreadable_json": "text was cut or is no JSON: unset OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT, or update the instrumentation",
    "argument_names_lost": "the instrumentation writes a tool's single argument without its name: record model messages, too",
    "dropped": "raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT, OTEL_SPAN_EVENT_COUNT_LIMIT and OTEL_SPAN_LINK_COUNT_LIMIT",
    "parent_missing": "export all spans of a trace here: no sampling, and every service that takes part",
    "end_unreported": "send the traces of later turns here, too",
    "beginning_missing": "send the trace in which the run began here, too, or mark the run as one (tracegrade.job.id)",
    "requests_not_recorded": "record what the models answer, or at least why each call ended (gen_ai.response.finish_reasons)",
    "running": "wait, or let the program flush its exporter before it ends",
}
"""What else helps, by the reason that capture gives."""

BY_KIND = {
    "approvals": "the event tracegrade.approval (collector/mark.py: record_approval)",
    "skills": "gen_ai.skill.name on the span that reads the skill",
    "retrievals": "a retrieval span with gen_ai.retrieval.documents",
    "cost": "gen_ai.usage.cost, in US dollars, on the span of each model call",
    "constraints": "tracegrade.job.constraints on the agent's span (collector/mark.py: set_constraints)",
    "children": "a span for each agent, or a tool span around it",
    "tools": "a span for each tool call (gen_ai.operation.name=execute_tool), or the model's messages",
    "requests": "gen_ai.output.messages on the span of each model call",
    "tool_args": "gen_ai.tool.call.arguments on the tool's span",
    "tool_results": "gen_ai.tool.call.result on the tool's span",
    "model_calls": "an instrumentation of the model's SDK",
    "input": "gen_ai.input.messages on the agent's span",
    "reply": "gen_ai.output.messages on the agent's span",
}
"""What may be set by hand where nothing in the trace holds a kind of evidence."""


@dataclass(frozen=True)
class KindShare:
    """Runs by how much of one kind of evidence they hold, and why not more."""

    kind: str
    runs: int
    present: int
    partial: int
    absent: int
    malformed: int
    reasons: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    """Dialects of the runs that do not hold all of it."""


@dataclass(frozen=True)
class Remedy:
    """What to do, and the kinds of evidence that it may bring."""

    kinds: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Diagnosis:
    """One service. Without runs none of its spans was understood as an agent's."""

    service: str | None
    spans: int
    scopes: tuple[str, ...]
    runs: int = 0
    dialects: tuple[str, ...] = ()
    kinds: tuple[KindShare, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    notes: tuple[str, ...] = ()
    """What the instrumentation does not record, whatever is switched on."""


@dataclass(frozen=True)
class Diagnoses:
    """All services, and how many traces have trees of an older version."""

    services: list[Diagnosis] = field(default_factory=list)
    outdated: int = 0


def diagnose(store: Store, service: str | None = None) -> Diagnoses:
    """Look at all services, or at one: counted in the store, without loading a tree."""
    shares: dict[str | None, list[dict[str, Any]]] = {}
    for row in store.query("captures", service=service).to_pylist():
        shares.setdefault(row["service"], []).append(row)
    sent = {row["service"]: row for row in store.query("services", service=service).to_pylist()}
    names = sorted({*shares, *sent}, key=lambda name: (name is None, name or ""))
    return Diagnoses([_diagnosis(n, sent.get(n, {}), shares.get(n, [])) for n in names], len(outdated(store)))


def _diagnosis(name: str | None, sent: dict[str, Any], rows: list[dict[str, Any]]) -> Diagnosis:
    by_kind = {row["kind"]: row for row in rows}
    kinds = tuple(_share(by_kind[kind]) for kind in CAPTURE_KINDS if kind in by_kind)
    dialects = {dialect for row in rows for dialect in row["dialects"]}
    return Diagnosis(
        name,
        sent.get("spans", 0),
        tuple(scope for scope in sent.get("scopes", ()) if scope),
        max((kind.runs for kind in kinds), default=0),
        tuple(sorted(dialects)),
        kinds,
        tuple(_remedies(kinds)),
        tuple(f"{s.title} ({s.by}) does not record {s.lacks}" for s in known_by(dialects) if s.lacks),
    )


def _share(row: dict[str, Any]) -> KindShare:
    counts = (row[name] for name in ("runs", "present", "partial", "absent", "malformed"))
    return KindShare(row["kind"], *counts, tuple(row["reasons"] or ()), tuple(row["lacking"]))


def _remedies(kinds: Sequence[KindShare]) -> Iterator[Remedy]:
    """The switch for what has no content, then what helps for other reasons, then what may be set by hand."""
    dark = [kind for kind in kinds if CONTENT & {*kind.reasons} and kind.kind not in FIGURES]
    by_switch: dict[str, list[str]] = {}
    for kind in dark:
        for switch, titles in switches(known_by(kind.lacking)).items():
            by_switch.setdefault(f"{', '.join(titles)}: {switch}", []).append(kind.kind)
    for text, names in by_switch.items():
        yield Remedy(tuple(names), text)
    for reason, text in BY_REASON.items():
        if names := [kind.kind for kind in kinds if reason in kind.reasons]:
            yield Remedy(tuple(names), text)
    for kind in kinds:
        if "not_recorded" in kind.reasons or (kind.kind in FIGURES and kind.reasons):
            yield Remedy((kind.kind,), BY_KIND[kind.kind])
