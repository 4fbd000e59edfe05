"""What the store's own rules took out of a job's facts: it was there and is not known, so nothing may be decided on it.

A whole value in whose place a mark stands is unreadable as it is (`values.hidden`). Here are the values that hold marks as
pieces: arguments with a masked field, a reply with a masked address. What is around a mark is known: such evidence is
partial, it may prove that something was there and never that something was not.

And here are the values that would have told more than one fact: the history of a model call tells which calls failed, a
handoff's output to whom it went, a graph's state where a job began. Who asked for one found a mark, and nobody knows what
would have been there (`Sighting.missed`).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.values import REDACTION, hidden, withheld
from collector.tree import Capture, Delegation, Evidence, Job, captured

REASON = "redacted"

_CONTENT = ("input", "reply", "tools", "requests", "tool_args", "tool_results")
_ELSE = frozenset({"content_off", "not_recorded", "requests_not_recorded"})
"""Why something is not there, which may be the doing of a rule."""

_KNOWN: dict[str, Any] = {
    "input": lambda job: job.input,
    "reply": lambda job: job.reply,
    "constraints": lambda job: job.constraints,
    "approvals": lambda job: [(a.requested_arguments, a.final_arguments, a.reason) for a in job.approvals],
    "retrievals": lambda job: [(r.query, r.documents) for r in job.retrievals],
}
_LISTS = ("tools", "requests", "model_calls", "children", "approvals", "skills", "retrievals", "cost")
"""Kinds that promise to be complete."""


def tell(draft: Draft, job: Job) -> None:
    """Lessen the capture of what holds marks; `job` knows its capture and its children's delegations."""
    nodes = (*draft.own, *draft.nodes)
    if any(node.span is not None and node.span.redacted for node in nodes):
        for kind in _CONTENT:
            held = job.capture[kind]
            if held.state != "present" and not _ELSE.isdisjoint(held.reasons):
                job.capture[kind] = captured(held.state, *sorted({*held.reasons, REASON}))
    for kind, read in _KNOWN.items():
        if job.capture[kind].state == "present" and marked(read(job)):
            job.capture[kind] = captured("partial", REASON)
    for call in job.tool_calls:
        call.arguments_capture = _lessened(call.arguments_capture, call.arguments)
        call.requested_capture = _lessened(call.requested_capture, call.requested_arguments)
        call.result_capture = _lessened(call.result_capture, call.result)
    job.capture["tool_args"] = _over(job.capture["tool_args"], [call.arguments_capture for call in job.tool_calls])
    results = [call.result_capture for call in job.tool_calls if call.result_capture != "absent"]
    job.capture["tool_results"] = _over(job.capture["tool_results"], results)
    if any(node.said.missed.words or (node.role == "model" and node.said.missed.more) for node in nodes):
        _doubt_words(job)
    if any(node.said.missed for node in draft.own):
        _lessen(job, ("input", "reply"))  # something else of the span may stand in for them
    if any(withheld(node.said.input) for node in draft.own):
        _lessen(job, ("approvals",))  # what a run is resumed with is a decision


def _doubt_words(job: Job) -> None:
    """Messages are gone: what was asked for and decided in them, and what came of calls without a span of their own."""
    unseen = any(call.started is None for call in job.tool_calls)
    _lessen(job, ("requests", "approvals", *(("tools", "tool_results") if unseen else ())))


def tell_tree(jobs: Iterable[tuple[Draft, Job]]) -> None:
    """Where a span misses what might tell its place, or that of others, no list of its tree's jobs is known to be complete."""
    known = list(jobs)
    if any(_misplaced(node) for draft, _ in known for node in (*draft.own, *draft.nodes)):
        for _, job in known:
            _lessen(job, _LISTS)


def _misplaced(node: Node) -> bool:
    return bool(node.said.missed.more) and node.role != "model"


def _lessen(job: Job, kinds: Iterable[str]) -> None:
    for kind in kinds:
        if job.capture[kind].state == "present":
            job.capture[kind] = captured("partial", REASON)


def tell_edge(edge: Delegation | None) -> None:
    """The same of what a child job was given."""
    if edge is not None:
        edge.payload_capture = _lessened(edge.payload_capture, edge.payload)


def marked(value: Any) -> bool:
    """Whether a mark stands anywhere in the value."""
    if isinstance(value, str):
        return REDACTION in value or hidden(value)
    if isinstance(value, dict):
        return any(map(marked, value.values()))
    return isinstance(value, list | tuple) and any(map(marked, value))


def _lessened(state: Evidence, value: Any) -> Evidence:
    return "partial" if state == "present" and marked(value) else state


def _over(before: Capture, states: Sequence[Evidence]) -> Capture:
    """The capture over calls, where some hold marks, or nothing but a mark."""
    if "malformed" in states:
        return captured("malformed", *sorted({*before.reasons, REASON} - {"unreadable_json"}))
    return captured("partial", *sorted({*before.reasons, REASON})) if "partial" in states else before
