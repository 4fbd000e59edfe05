"""How much of each kind of evidence a job's spans hold, with reason codes where it is not all.

The rule: "present" is a promise on which "not called" may be decided, so it needs a proof: an instrumentation known to
record that kind, all model outputs readable, or the user's own declaration (`tracegrade.capture`). The codes:

    not_recorded       nothing in the trace holds it, and nothing promises that it would
    content_off        the spans that would hold it are there, without content
    redacted, truncated, unreadable_json, argument_names_lost   it was there and cannot be used
    dropped            the exporter says that it dropped attributes or events
    parent_missing     a span above is missing: its siblings may be, too
    beginning_missing  the job begins by answering calls that were asked for in no trace here
    end_unreported     work that a call left behind went on, and the turn that is told of its end is in no trace here
    running            the job has not ended, or what is seen of it ends within a turn
    failed             the job failed before there could be one
    requests_not_recorded   a model call's words are not there: it may have asked for calls that left no other trace
    child_partial      a job below lacks it
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from collector.normalize.assemble import requests
from collector.normalize.assemble.continuations import beginning_is_missing, end_is_unreported
from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.words import Reply
from collector.tree import CAPTURE_KINDS, MAY_HAVE_RUN, Capture, Evidence, Job, ToolCall, captured

PRESENT, NOT_RECORDED = captured("present"), captured("absent", "not_recorded")

_EXECUTED = ("answered", "succeeded")


def of(draft: Draft, job: Job, asked: Reply, answered: Reply, tool_scopes: frozenset[str]) -> dict[str, Capture]:
    """Capture of one job by kind; `tool_scopes` are the instrumentations seen to write tool spans in this component."""
    proofs = _proofs(draft)
    listed = _tools(draft, job, tool_scopes, proofs)
    silent = requests.unknown(draft, job)
    unnamed = listed.state == "present" and requests.ran_unnamed(draft, silent)
    tools = captured("partial", requests.REASON) if unnamed else listed
    found = {
        "input": _words(job.input, asked, draft, job),
        "reply": _words(job.reply, answered, draft, job),
        "tools": tools,
        "requests": requests.of(draft, silent, tools, proofs),
        "tool_args": _contents(job.tool_calls, "arguments_capture", tools),
        "tool_results": _contents([c for c in job.tool_calls if _has_result(c)], "result_capture", tools),
        "model_calls": _seen(bool(job.model_calls) or "model_calls" in proofs),
        "children": _children(draft, job, listed, proofs),
        "approvals": _seen(bool(job.approvals) or "approvals" in proofs),
        "skills": _seen(bool(job.skills) or "skills" in proofs),
        "retrievals": _seen(bool(job.retrievals) or "retrievals" in proofs),
        "cost": _shares([call.cost_usd is not None for call in job.model_calls], "not_recorded"),
        "constraints": _seen(job.constraints is not None),
    }
    _lessen(draft, job, found)
    if job.tool_calls:
        _doubt_requests(draft, job, found["tools"], tool_scopes, proofs)
    declared = draft.told("captured")
    for kind in declared.value if declared and declared.state == "present" else ():
        alias = {"args": "tool_args", "results": "tool_results"}.get(kind, kind)
        if alias in found and found[alias].state != "malformed":
            found[alias] = PRESENT
            if alias == "tools" and not draft.models:
                found["requests"] = PRESENT
    return found


def meet(captures: Iterable[dict[str, Capture]]) -> dict[str, Capture]:
    """Over a tree: the least of its jobs; malformed where any is, since what cannot be read may hold anything."""
    all_of = list(captures)
    if len(all_of) == 1:  # so are most
        met = all_of[0].copy()
        met.update((kind, _sorted(held)) for kind, held in met.items() if len(held.reasons) > 1)
        return met
    out = {}
    for kind in CAPTURE_KINDS:
        states = [capture[kind] for capture in all_of if kind in capture]
        if not states:
            continue
        distinct = {capture.state for capture in states}
        reasons = {code for capture in states for code in capture.reasons}
        if len(distinct) > 1:
            reasons.add("child_partial")
        state = "malformed" if "malformed" in distinct else states[0].state if len(distinct) == 1 else "partial"
        out[kind] = captured(state, *sorted(reasons))
    return out


def _sorted(held: Capture) -> Capture:
    return captured(held.state, *sorted({*held.reasons}))


def _proofs(draft: Draft) -> AbstractSet[str]:
    if len(draft.own) == 1 and not draft.synthetic:
        return draft.own[0].said.proves
    return set().union(*(node.said.proves for node in draft.own)) if not draft.synthetic else set()


def _scopes(draft: Draft) -> set[str]:
    return {node.span.scope for node in draft.own if node.span} if not draft.synthetic else set()


def _tools(draft: Draft, job: Job, tool_scopes: frozenset[str], proofs: AbstractSet[str]) -> Capture:
    if "tools" in proofs or _scopes(draft) & tool_scopes:
        return PRESENT
    read = [requests.says_all(node) for node in draft.models]
    if read and all(read):
        return PRESENT
    if any(read) or job.tool_calls:
        return captured("partial", "content_off" if draft.models else "not_recorded")
    return captured("absent", "content_off" if draft.models else "not_recorded")


def _has_result(call: ToolCall) -> bool:
    """Whether there is a result to record; a failed call has an error instead."""
    return call.state in _EXECUTED or (call.state == "requested" and call.started is not None)


def _children(draft: Draft, job: Job, tools: Capture, proofs: AbstractSet[str]) -> Capture:
    """Who writes a job's span writes those of its children. Model calls alone show no child, even where every call is known."""
    if _ran_unseen(draft):
        return captured("partial", "not_recorded")
    return _seen("children" in proofs or (not draft.synthetic and (bool(job.jobs) or tools.state == "present")))


def _ran_unseen(draft: Draft) -> bool:
    """Whether a tool is told to run an agent of which nothing is seen."""
    running = [node for node in draft.tools if node.said.runs is not None and node.twin is None]
    seen = {id(child.trigger) for child in draft.children} if running else ()
    return any(id(node) not in seen for node in running)


def _contents(calls: list[ToolCall], fact: str, tools: Capture) -> Capture:
    """Of the calls that are there; where there are none, as complete as the list of calls is."""
    if not calls:
        return tools
    states: list[Evidence] = [getattr(call, fact) for call in calls]
    if "malformed" in states:
        return captured("malformed", "unreadable_json")
    share = _shares([state == "present" for state in states])
    return share if share.state != "present" or tools.state == "present" else tools


def _shares(known: list[bool], why: str = "content_off") -> Capture:
    if known and all(known):
        return PRESENT
    return captured("partial" if any(known) else "absent", why if known else "not_recorded")


def _words(value: object, reply: Reply, draft: Draft, job: Job) -> Capture:
    if value is not None:
        return PRESENT
    if reply.unreadable:
        return captured("malformed", reply.unreadable)
    if job.status == "failed":
        return captured("absent", "failed")
    return captured("absent", "content_off" if draft.models else "not_recorded")


def _seen(seen: bool) -> Capture:
    return PRESENT if seen else NOT_RECORDED


def _lessen(draft: Draft, job: Job, found: dict[str, Capture]) -> None:
    """What is visibly lost or still to come makes lists partial, whatever the dialect promises."""
    why = _lost(draft, job)
    if not why:
        return
    for kind in ("tools", "requests", "model_calls", "children", "approvals", "skills", "retrievals", "cost"):
        if found[kind].state == "present":
            found[kind] = captured("partial", *why)


def _lost(draft: Draft, job: Job) -> list[str]:
    why = []
    if any(part.missing_parent for part in draft.parts):
        why.append("parent_missing")
    if beginning_is_missing(draft):
        why.append("beginning_missing")
    if end_is_unreported(draft):
        why.append("end_unreported")
    if draft.synthetic and draft.parent is None and draft.models and draft.models[0].said.messages_in is None:
        why.append("content_off")  # what was said before the first model call seen is unknown
    if any(node.span and node.span.lossy for node in (*draft.own, *draft.nodes)):
        why.append("dropped")
    if job.status == "running" or (draft.synthetic and job.status == "unknown"):  # a loop that stops within a turn
        why.append("running")
    if requests.left_open(draft, job):
        why.append(requests.REASON)  # what came of it may stand in a trace that nothing joins to this one
    return why


def _doubt_requests(
    draft: Draft, job: Job, tools: Capture, tool_scopes: frozenset[str], proofs: AbstractSet[str]
) -> None:
    """A call that was asked for did not run only where every execution is recorded and it has none; else it may have run."""
    recorded = tools.state == "present" and ("tools" in proofs or bool(_scopes(draft) & tool_scopes))
    for call in job.tool_calls:
        if call.state == "requested" and not (recorded and call.started is None):
            call.flags = sorted({*call.flags, MAY_HAVE_RUN})


def tool_scopes(drafts: list[Draft]) -> frozenset[str]:
    """Instrumentations that wrote a tool span: they would have written the others, too."""
    return frozenset(
        node.span.scope for draft in drafts for node in draft.nodes if node.said.role == "tool" and node.span
    )
