"""Root jobs that go on where another stopped: a run resumed after a decision, a loop of model calls that no span holds.

What joins them is an exact witness: the later one begins by answering (or executing) a call that the earlier one left open,
known by its real call id; or, where the model call with that id is not there, by what it was told to decide and then did: in
one conversation the tool and the arguments that a decision was asked on. Without ids, the later history is the earlier
history and answer, word by word. Both must share a resource or a conversation, and both sides must be the only candidates: a
shared conversation alone joins nothing, and where two would fit, none is joined.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator

from collector.normalize.assemble.draft import Draft, Key
from collector.normalize.assemble.forest import BY_START, Node
from collector.normalize.assemble.joins import Reference
from collector.normalize.assemble.twins import real_id, unique_id
from collector.normalize.messages import Message, trailing_results
from collector.normalize.values import same_key


def join(drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that continue another, which has absorbed them."""
    drafts = _fold_doubles(drafts)
    roots = [draft for draft in drafts if draft.parent is None]
    openings = _unique(roots, left_open)
    begun = _unique(roots, begins_with)
    before: dict[int, Draft] = {}
    for key, later in begun.items():
        earlier = openings.get(key)
        if earlier is None or later is None or earlier is later or not _related(earlier, later):
            continue
        if id(later) in before and before[id(later)] is not earlier:
            before[id(later)] = later  # two candidates: none
        else:
            before[id(later)] = earlier
    gone: set[int] = set()
    for later in reversed(roots):  # latest first, so that a chain is absorbed from its end
        earlier = before.get(id(later))
        if earlier is None or earlier is later or earlier.start > later.start:
            continue
        later.reason = "resumed" if not later.synthetic else "continued"
        earlier.absorb(later)
        gone.add(id(later))
    return [draft for draft in drafts if id(draft) not in gone]


def references(drafts: list[Draft]) -> Iterator[Reference]:
    """What root jobs leave open and begin with, so that traces that arrive later find each other."""
    for draft in drafts:
        trace_id = draft.main.span.trace_id if draft.main.span else ""
        for node in _models(draft):
            if node.said.response_id:
                role = "wants" if draft.synthetic else "offers"
                yield Reference(trace_id, "response", node.said.response_id.value, role)
                if draft.synthetic:
                    yield Reference(trace_id, "response", node.said.response_id.value, "offers")
        if draft.parent is None:
            for kind, key in left_open(draft):
                yield Reference(trace_id, kind, key, "offers")
            for kind, key in begins_with(draft):
                yield Reference(trace_id, kind, key, "wants")


def left_open(draft: Draft) -> set[Key]:
    """Calls that the job's last model call asked for, or that wait for a decision."""
    if draft.left_open is None:
        draft.left_open = _qualified(_left_open(draft), draft)
    return draft.left_open


def _qualified(keys: set[Key], draft: Draft) -> set[Key]:
    """An id that merely counts (`call_0`) tells runs apart only within a conversation."""
    if not keys or all(unique_id(key) for _, key in keys):
        return keys
    talk = _conversation(draft)
    named = ((kind, key if unique_id(key) else f"{talk} {key}" if talk else "") for kind, key in keys)
    return {(kind, key) for kind, key in named if key}


def _conversation(draft: Draft) -> str | None:
    seen = next((node.said.conversation for node in (*draft.own, *draft.nodes) if node.said.conversation), None)
    return seen.value if seen else None


def _left_open(draft: Draft) -> set[Key]:
    out: set[Key] = set()
    told = [node for node in _models(draft) if node.said.messages_out]
    if told:
        said = told[-1].said
        calls = [part for message in said.messages_out or () for part in message.calls()]
        out |= {("call", key) for part in calls if (key := real_id(part.id))}
        if calls and draft.synthetic and not any(real_id(part.id) for part in calls):
            out.add(("chain", _digest([*(said.messages_in or ()), *(said.messages_out or ())])))
    for node in draft.last.spans:  # a job's own output lists what it asked for and what came of it
        out |= {("call", key) for key in _unanswered(node.said.messages_out)}
    for node in (*draft.own, *draft.nodes):
        said = node.said
        if (said.deferred is not None or said.opens) and (key := real_id(said.call_id)):
            out.add(("call", key))
        for approval in said.approvals:
            if approval.decision != "pending":
                continue
            if key := real_id(approval.call_id):
                out.add(("call", key))
            elif approval.tool and approval.requested_arguments is not None and (talk := _conversation(draft)):
                out.add(("decision", _wait(talk, approval.tool, approval.requested_arguments)))
    return out


def _wait(talk: str, tool: str, arguments: object) -> str:
    """What is known of a call that waits in a conversation, where its id is not: which tool, with which arguments."""
    return hashlib.blake2b(same_key([talk, tool, arguments]).encode(), digest_size=16).hexdigest()


def _unanswered(messages: list[Message] | None) -> set[str]:
    if not messages:
        return set()
    parts = [part for message in messages for part in message.parts if real_id(part.id)]
    kinds = {kind: {part.id for part in parts if part.kind == kind and part.id} for kind in ("call", "result")}
    return kinds["call"] - kinds["result"]


def begins_with(draft: Draft) -> set[Key]:
    """Calls that the job answers before it says anything itself, or executes without having asked for them."""
    if draft.begins_with is None:
        draft.begins_with = _qualified(_begins_with(draft), draft) - left_open(draft)
    return draft.begins_with


def _begins_with(draft: Draft) -> set[Key]:
    out: set[Key] = set()
    models = _models(draft)
    made = [message for node in models for message in node.said.messages_out or ()]
    asked = {key for message in made for part in message.calls() if (key := real_id(part.id))}
    spoken = models or draft.spans[::-1]  # some write the last model call onto the job's own span
    given = next((node.said.messages_in for node in spoken if node.said.messages_in), None)
    if given:
        answers = trailing_results(given)
        ids = {key for part in answers if (key := real_id(part.id))}
        out |= {("call", key) for key in ids}
        if answers and not ids and draft.synthetic:
            out.add(("chain", _digest(_before_results(given))))
    out |= {("call", node.said.resumes.value) for node in draft.own if node.said.resumes}
    talk = _conversation(draft) if any(node.said.decisions for node in draft.own) else None
    for node in draft.nodes:
        waits = node.said.deferred is not None  # it left the call open, whoever asked for it
        if node.role == "tool" and not waits and (key := real_id(node.said.call_id)) and key not in asked:
            out.add(("call", key))
            given = node.said.arguments
            if talk is not None and node.said.tool is not None and given is not None and given.state == "present":
                out.add(("decision", _wait(talk, node.said.tool.value, given.value)))
    return out


def beginning_is_missing(draft: Draft) -> bool:
    """Whether a root job's first model call answers calls that none of its own is seen to have asked for.

    Or its own span says which call's end it was started to report: had that call been found, it would be no root.
    """
    if draft.parent is not None:
        return False
    if any(node.said.resumes for node in draft.spans):
        return True
    models = _models(draft)
    given = next((node.said.messages_in for node in models if node.said.messages_in), None)
    answers = trailing_results(given) if given else []
    asked = {part.id for node in models for message in node.said.messages_out or () for part in message.calls()}
    return any(part.id is None or part.id not in asked for part in answers)


def end_is_unreported(draft: Draft) -> bool:
    """Whether work that a call left behind went on after it returned, and no part of the job was started to report its end.

    Whoever starts such work is told when it is done, and goes on then: that turn is missing.
    """
    left = [node for node in draft.tools if node.said.opens and node.span is not None and node.twin is None]
    if not left:
        return False
    reported = {node.said.resumes.value for node in draft.own if node.said.resumes}
    return any(_went_on(node) and real_id(node.said.call_id) not in reported for node in left)


def _went_on(node: Node) -> bool:
    end = node.span.end if node.span else 0
    return any(below.span is not None and below.span.start > end > 0 for below in node.below())


def _models(draft: Draft) -> list[Node]:
    if draft.inferences is None:
        draft.inferences = [node for node in draft.nodes if node.said.role == "model"]
    return draft.inferences


def _before_results(messages: list[Message]) -> list[Message]:
    last = max((i for i, message in enumerate(messages) if message.role == "assistant"), default=-1)
    return messages[: last + 1]


def _digest(messages: list[Message]) -> str:
    facts = [
        [m.role, [[p.kind, p.text.strip(), p.name, same_key(p.value.value) if p.value else None] for p in m.parts]]
        for m in messages
    ]
    return hashlib.blake2b(same_key(facts).encode(), digest_size=16).hexdigest()


def _unique(drafts: list[Draft], keys: Callable[[Draft], set[Key]]) -> dict[Key, Draft | None]:
    """By key the only draft that has it, None where several have."""
    out: dict[Key, Draft | None] = {}
    for draft in drafts:
        for key in keys(draft):
            out[key] = None if key in out else draft
    return out


def _related(one: Draft, other: Draft) -> bool:
    """The same process, or the same conversation; and no other agent than those of the earlier job."""
    if other.agent is not None and one.agent is not None and other.agent not in _agents(one):
        return False
    first, second = one.main.span, other.main.span
    if first is None or second is None or first.trace_id == second.trace_id:
        return False
    talk = [_conversation(draft) for draft in (one, other)]
    if talk[0] is not None and talk[0] == talk[1]:
        return True
    return first.resource == second.resource


def _agents(draft: Draft) -> set[str | None]:
    """The agents of the job and of all below it."""
    out, stack = set(), [draft]
    while stack:
        job = stack.pop()
        out.add(job.agent)
        stack.extend(job.children)
    return out


def _fold_doubles(drafts: list[Draft]) -> list[Draft]:
    """A trace that holds nothing but a second instrumentation's copy of a model call goes to the call's own job."""
    by_response: dict[str, list[tuple[Draft, Node]]] = defaultdict(list)
    for draft in drafts:
        for node in _models(draft):
            if node.said.response_id:
                by_response[node.said.response_id.value].append((draft, node))
    gone: set[int] = set()
    for copies in by_response.values():
        if len(copies) < 2:  # noqa: PLR2004
            continue
        best, kept = min(copies, key=lambda pair: _poverty(*pair))
        for draft, node in copies:
            other_scope = node.span and kept.span and node.span.scope != kept.span.scope
            if draft is best or id(draft) in gone or not draft.synthetic or len(draft.nodes) != 1 or not other_scope:
                continue
            node.job = best
            best.nodes = sorted([*best.nodes, node], key=BY_START)
            best.inferences = None
            best.doubles.append(node)
            gone.add(id(draft))
    return [draft for draft in drafts if id(draft) not in gone]


def _poverty(draft: Draft, node: Node) -> tuple[bool, int, int, str]:
    held = sum(fact is not None for fact in (node.said.messages_in, node.said.messages_out))
    return (draft.synthetic, -held, node.start, node.id)
