"""How much of each kind of evidence a job's spans hold, with reason codes where it is not all.

The rule: "present" is a promise on which "not called" may be decided, so it needs a proof: an instrumentation known to
record that kind, all model outputs readable, or the user's own declaration (`tracegrade.capture`). The codes:

    not_recorded       nothing in the trace holds it, and nothing promises that it would
    content_off        the spans that would hold it are there, without content
    redacted, truncated, unreadable_json, argument_names_lost   it was there and cannot be used
    dropped            the exporter says that it dropped attributes or events
    parent_missing     a span above is missing: its siblings may be, too
    running            the job has not ended
    failed             the job failed before there could be one
    child_partial      a job below lacks it
"""

from collections.abc import Iterable

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.words import Reply
from collector.normalize.dialect import Role
from collector.tree import CAPTURE_KINDS, Capture, Evidence, Job, ToolCall

_EXECUTED = ("answered", "succeeded")
_ORDER: tuple[Evidence, ...] = ("present", "partial", "absent")


def of(draft: Draft, job: Job, asked: Reply, answered: Reply, tool_scopes: frozenset[str]) -> dict[str, Capture]:
    """Capture of one job by kind; `tool_scopes` are the instrumentations seen to write tool spans in this component."""
    tools = _tools(draft, job, tool_scopes)
    found = {
        "input": _words(job.input, asked, draft, job),
        "reply": _words(job.reply, answered, draft, job),
        "tools": tools,
        "tool_args": _contents(job.tool_calls, "arguments_capture", tools),
        "tool_results": _contents([c for c in job.tool_calls if c.state in _EXECUTED], "result_capture", tools),
        "model_calls": _seen(bool(job.model_calls) or "model_calls" in _proofs(draft)),
        "children": _seen(bool(job.jobs) or bool(_proofs(draft) & {"children"}) or tools.state == "present"),
        "approvals": _seen(bool(job.approvals) or "approvals" in _proofs(draft)),
        "skills": _seen(bool(job.skills) or "skills" in _proofs(draft)),
        "retrievals": _seen(bool(job.retrievals) or "retrievals" in _proofs(draft)),
        "cost": _shares([call.cost_usd is not None for call in job.model_calls]),
        "constraints": _seen(job.constraints is not None),
    }
    _lessen(draft, job, found)
    declared = draft.told("captured")
    for kind in declared.value if declared and declared.state == "present" else ():
        alias = {"args": "tool_args", "results": "tool_results"}.get(kind, kind)
        if alias in found and found[alias].state != "malformed":
            found[alias] = Capture("present")
    return found


def meet(captures: Iterable[dict[str, Capture]]) -> dict[str, Capture]:
    """Over a tree: the least of its jobs; malformed where any is, since what cannot be read may hold anything."""
    all_of = list(captures)
    out = {}
    for kind in CAPTURE_KINDS:
        states = [capture[kind] for capture in all_of if kind in capture]
        if not states:
            continue
        worst = next((c for c in states if c.state == "malformed"), None) or _least(states)
        out[kind] = Capture(worst.state, sorted({code for c in states for code in c.reasons}))
    return out


def _least(states: list[Capture]) -> Capture:
    if len({c.state for c in states}) == 1:
        return states[0]
    return Capture("partial", ["child_partial"])


def _proofs(draft: Draft) -> set[str]:
    return set().union(*(node.said.proves for node in draft.own)) if not draft.synthetic else set()


def _tools(draft: Draft, job: Job, tool_scopes: frozenset[str]) -> Capture:
    scopes = {node.span.scope for node in draft.own if node.span} if not draft.synthetic else set()
    if "tools" in _proofs(draft) or scopes & tool_scopes:
        return Capture("present")
    read = [node.said.messages_out is not None for node in draft.models]
    if read and all(read):
        return Capture("present")
    if any(read) or job.tool_calls:
        return Capture("partial", ["content_off" if draft.models else "not_recorded"])
    return Capture("absent", ["content_off" if draft.models else "not_recorded"])


def _contents(calls: list[ToolCall], fact: str, tools: Capture) -> Capture:
    """Of the calls that are there; where there are none, as complete as the list of calls is."""
    if not calls:
        return Capture(tools.state, list(tools.reasons))
    states: list[Evidence] = [getattr(call, fact) for call in calls]
    if "malformed" in states:
        return Capture("malformed", ["unreadable_json"])
    share = _shares([state == "present" for state in states])
    return share if share.state != "present" or tools.state == "present" else Capture(tools.state, list(tools.reasons))


def _shares(known: list[bool]) -> Capture:
    if known and all(known):
        return Capture("present")
    return Capture("partial" if any(known) else "absent", ["content_off" if known else "not_recorded"])


def _words(value: object, reply: Reply, draft: Draft, job: Job) -> Capture:
    if value is not None:
        return Capture("present")
    if reply.unreadable:
        return Capture("malformed", [reply.unreadable])
    if job.status == "failed":
        return Capture("absent", ["failed"])
    return Capture("absent", ["content_off" if draft.models else "not_recorded"])


def _seen(seen: bool) -> Capture:
    return Capture("present") if seen else Capture("absent", ["not_recorded"])


def _lessen(draft: Draft, job: Job, found: dict[str, Capture]) -> None:
    """What is visibly lost or still to come makes lists partial, whatever the dialect promises."""
    why = []
    if draft.missing_parent:
        why.append("parent_missing")
    if any(node.span and node.span.lossy for node in (*draft.own, *draft.nodes)):
        why.append("dropped")
    if job.status == "running":
        why.append("running")
    if not why:
        return
    for kind in ("tools", "model_calls", "children", "approvals", "skills", "retrievals", "cost"):
        if found[kind].state == "present":
            found[kind] = Capture("partial", why)


def tool_scopes(drafts: list[Draft]) -> frozenset[str]:
    """Instrumentations that wrote a tool span: they would have written the others, too."""
    return frozenset(
        node.span.scope for draft in drafts for node in draft.nodes if node.role is Role.TOOL and node.span
    )
