"""The edge from a job to a child job: what triggered it, in which mode, with what payload."""

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.twins import letters, outermost
from collector.normalize.values import Value
from collector.tree import Delegation, Mode, ToolCall


def trigger(draft: Draft) -> None:
    """Find the tool call that a nested child was started by: the nearest tool span above it, below its parent job."""
    if draft.parent is None or draft.via != "root":
        return
    draft.via = "agent"
    own = {id(node) for node in draft.parent.spans}
    for above in draft.spans[0].ancestors():
        if id(above) in own:
            break
        if above.role == "tool":
            draft.via, draft.trigger = "tool", outermost(above)
            return
    beside = _beside(draft, draft.parent)
    if beside is not None:
        draft.via, draft.trigger = "tool", outermost(beside)


def _beside(draft: Draft, parent: Draft) -> Node | None:
    """A tool of the parent that says that it runs this agent, and in whose time the job lies."""
    span = draft.main.span
    fits = [
        node
        for node in parent.tools
        if node.said.runs is not None and node.span and span and span.end
        and node.span.start <= span.start and span.end <= node.span.end
    ]  # fmt: skip
    name = letters(draft.agent or "")
    named = [node for node in fits if node.said.runs and name and letters(node.said.runs.value or "") == name]
    best = named or fits
    return best[0] if len(best) == 1 else None


def edge(draft: Draft) -> Delegation | None:
    """The delegation to this job, None for a root; its parent's calls must be known."""
    parent = draft.parent
    if parent is None:
        return None
    call = parent.calls.get(id(draft.trigger)) if draft.trigger else None
    payload = _payload(draft, call)
    return Delegation(
        mode=_mode(draft, call),
        call_id=call.call_id if call else None,
        tool=call.name if call else None,
        payload=payload.value if payload and payload.state == "present" else None,
        payload_capture=payload.state if payload else "absent",
        reason=draft.reason,
    )


def _payload(draft: Draft, call: ToolCall | None) -> Value | None:
    told = _declared(draft, "payload")
    if told is not None:
        return told
    if call is not None and call.arguments_capture != "absent":
        return Value(call.arguments, call.arguments_capture)
    return Value(draft.job.input) if draft.job and draft.job.input is not None else None


def _declared(draft: Draft, fact: str) -> Value | None:
    own = draft.told(fact)
    return own if own is not None else getattr(draft.trigger.said, fact) if draft.trigger else None


def _mode(draft: Draft, call: ToolCall | None) -> Mode | None:
    """Declared; a handoff passes control; a child that outlives what started it was not waited for."""
    told = _declared(draft, "mode")
    if told is not None:
        return told.value
    if draft.via == "handoff":
        return "pass_control"
    ended = _end(draft.main)
    if draft.via == "tool" and call is not None and call.ended and ended:
        return "waited" if ended <= call.ended else "fire_and_forget"
    if draft.via in ("link", "key"):
        waited = call is not None and call.ended is not None and ended is not None and ended <= call.ended
        return "waited" if waited and _one_clock(draft) else "fire_and_forget"
    return "waited" if draft.via in ("tool", "agent") else None


def _end(node: Node) -> int | None:
    return node.span.end or None if node.span else None


def _one_clock(draft: Draft) -> bool:
    """Times of different processes are not compared."""
    one, other = draft.main.span, draft.trigger.span if draft.trigger else None
    key = "service.instance.id"
    return bool(
        one and other and one.resource.get(key) is not None and one.resource.get(key) == other.resource.get(key)
    )
