"""Requests for a decision and decisions that stand in chat messages (Vercel AI SDK, Microsoft Agent Framework).

Only what is new is read: the last assistant message and what follows it. Older ones are the history of other turns.
"""

from collector.normalize.dialect import Sighting, holding
from collector.normalize.messages import Message, Part
from collector.normalize.reading import Span
from collector.normalize.values import content
from collector.tree import Approval, Decision

_METADATA = ("metadata", "braintrust.metadata")
_NOTES = frozenset({*_METADATA, "metadata.tool_approval"})
_ASKING = frozenset({"approval_request", "approval_response"})
_NOTED: dict[str, Decision] = {"approved": "approve", "denied": "reject", "rejected": "reject"}


@holding(*_NOTES)
def noted(span: Span, said: Sighting) -> None:
    """A decision that somebody noted in the metadata of the tool's span: `tool_approval`, approved or denied."""
    if said.role != "tool":
        return
    held = [
        seen.value for key in _METADATA if (seen := content(span.attributes.get(key))) and isinstance(seen.value, dict)
    ]
    words = [span.attributes.get("metadata.tool_approval"), *(metadata.get("tool_approval") for metadata in held)]
    decision = next((_NOTED[word] for word in words if isinstance(word, str) and word in _NOTED), None)
    if decision is not None:
        said.approvals += (Approval(decision=decision, decided_at=span.end or None),)


def heard(said: Sighting) -> None:
    """Add what the messages of a model call ask and decide."""
    for messages in (said.messages_out, said.messages_in):
        if messages:
            said.approvals += (*told(messages),)


def told(messages: list[Message]) -> list[Approval]:
    """What messages begin with after the last words of the model, or end with: requests and the decisions on them.

    An answered request whose answer cannot be read is left out: it is not pending any more.
    """
    latest = _latest(messages)
    if not _ask(latest):
        return []
    out: list[Approval] = []
    named: dict[str, Approval] = {}
    unread: set[int] = set()
    for message in latest:
        calls = [part for part in message.parts if part.kind == "call"]
        for part in message.parts:
            if part.kind == "approval_request":
                out.append(_request(part, calls))
                named.update({key: out[-1] for key in (part.about, out[-1].call_id) if key})
            elif part.kind == "approval_response":
                _decide(part, named, out, unread)
            elif part.kind == "result" and part.id in named:
                _answered(part, named[part.id])
    return [approval for approval in out if approval.decision != "pending" or id(approval) not in unread]


def _latest(messages: list[Message]) -> list[Message]:
    place = len(messages) - 1
    while place > 0 and messages[place].role != "assistant":
        place -= 1
    return messages[place:] if place else messages


def _ask(messages: list[Message]) -> bool:
    for message in messages:
        for part in message.parts:
            if part.kind in _ASKING:
                return True
    return False


def _request(part: Part, calls: list[Part]) -> Approval:
    """A request names its call; one that names none is about the only call beside it."""
    call = next((call for call in calls if part.id and call.id == part.id), None)
    if call is None and part.id is None and len(calls) == 1:
        call = calls[0]
    about = call or part
    return Approval(
        tool=about.name,
        call_id=about.id,
        requested_arguments=about.value.value if about.value and about.value.state == "present" else None,
    )


def _decide(part: Part, named: dict[str, Approval], out: list[Approval], unread: set[int]) -> None:
    """A response names the request or the call; one that names neither answers all that are open."""
    approval = named.get(part.about or "") or named.get(part.id or "")
    if approval is None and part.name:
        approval = Approval(tool=part.name, call_id=part.id)  # the request was made in another run
        out.append(approval)
    if approval is None:
        unread.update(id(open_one) for open_one in out if not (part.about or part.id))
    elif part.text:
        approval.decision, approval.source = "approve" if part.text == "true" else "reject", "human"
    else:
        unread.add(id(approval))


def _answered(part: Part, approval: Approval) -> None:
    """The call's result tells what was decided where nothing else does."""
    held = part.value.value if part.value else None
    if isinstance(held, dict) and held.get("denied") is True:
        approval.decision = "reject"
        approval.reason = held["reason"] if isinstance(held.get("reason"), str) else None
    elif approval.decision == "pending":
        approval.decision = "approve"
