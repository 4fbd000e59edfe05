"""What a job was asked and what it answered, with where that stands.

The reply: declared by the job's span, else given through an output tool, else the words of its last own model call that
asked for no tool; after a handoff the words of the job that took over. Never a tool's output, never the words beside a tool
call, never those of a failed job.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from collector.normalize.assemble.draft import Draft
from collector.normalize.messages import Message, parse
from collector.normalize.values import withheld
from collector.tree import Job


class Reply(NamedTuple):
    """A reply and its source (`declared`, `inferred:…`); `unreadable` is why it was there and cannot be used."""

    value: Any = None
    source: str | None = None
    unreadable: str | None = None


def asked(draft: Draft) -> Reply:
    """The job's input: declared, else the last words of the user at the beginning of this run."""
    told = draft.told_first("input")
    if told is not None and told.state == "present" and (given := _unwrapped(told.value, _user)) is not None:
        return Reply(given, "declared")
    if withheld(told):
        return Reply(unreadable="redacted")
    for node in (node for part in draft.parts if not part.synthetic for node in reversed(part.spans)):
        said = node.said
        if said.transcript is not None:
            words = _user(said.transcript[said.transcript_from :], first=True)
            return Reply(words, "inferred:transcript" if words is not None else None)
        if said.messages_in and (words := _user(said.messages_in)) is not None:
            return Reply(words, "declared")
    for node in draft.models:
        if node.said.messages_in is not None:
            words = _user(node.said.messages_in)
            return Reply(words, "inferred:model" if words is not None else None)
    return _first_step(draft) or Reply(unreadable=told.reason if told else None)


def _first_step(draft: Draft) -> Reply | None:
    """A container that tells nothing itself was asked what its first job was asked, and those that ran beside that one."""
    if not draft.container or not draft.children:
        return None
    first, *later = sorted(draft.children, key=lambda child: (child.start, child.main.id))
    end = first.main.span.end if first.main.span else 0
    asked = [
        child.job.input if child.job else None for child in (first, *(c for c in later if c.start < end or not end))
    ]
    same = asked[0] is not None and all(given == asked[0] for given in asked)
    return Reply(asked[0], "inferred:first_job") if same else None


def _user(messages: list[Message], *, first: bool = False) -> str | None:
    for message in messages if first else reversed(messages):
        if message.role in ("user", "") and (words := message.text()) is not None:
            return words
        if message.role == "user" and message.hidden:
            return None  # what was asked was taken out: what was said before is another question
    return None


def answered(draft: Draft, job: Job) -> Reply:
    """The job's reply; `job` must know its status and its children."""
    told = draft.told_last("output")
    if told is not None and told.state == "present" and (made := _unwrapped(told.value, _assistant)) is not None:
        return Reply(made, "declared")
    if withheld(told):
        return Reply(unreadable="redacted")
    for node in () if draft.last.synthetic else reversed(draft.last.spans):  # a model span speaks for itself alone
        words = None if _pending(node.said.messages_out) else _assistant(node.said.messages_out)
        if words is not None and job.status != "failed":
            return Reply(words, "declared")
    if job.status in ("failed", "awaiting_approval"):
        return Reply(unreadable=told.reason if told else None)
    taken = next((child for child in reversed(draft.children) if child.via == "handoff"), None)
    back = taken is not None and bool(draft.models) and draft.models[-1].start > taken.last.start
    if taken is not None and not back and taken.job is not None and taken.job.reply is not None:
        return Reply(taken.job.reply, "inferred:handoff")
    return (
        _from_models(draft)
        or _from_messages(draft)
        or _last_step(draft)
        or Reply(unreadable=told.reason if told else None)
    )


def _last_step(draft: Draft) -> Reply | None:
    """A container that says nothing itself, and whose jobs ran one after the other, ends with the words of the last."""
    orphans = any(node.parent is not None and node.parent.span is None for node in draft.nodes)
    if not draft.container or not draft.children or orphans:
        return None
    *before, last = sorted(draft.children, key=lambda child: (child.start, child.main.id))
    ends = [child.main.span.end if child.main.span else 0 for child in before]
    while last.children and last.children[-1].via == "handoff":  # it handed on, and said no more than that
        ends.append(last.main.span.end if last.main.span else 0)
        last = last.children[-1]
    if last.job is None or last.job.reply is None or not all(0 < end <= last.start for end in ends):
        return None
    return Reply(last.job.reply, "inferred:last_job")


def _from_models(draft: Draft) -> Reply | None:
    if not draft.models:
        return None
    tools = {tool for node in (*draft.own, *draft.models) for tool in node.said.output_tools}
    last = draft.models[-1]
    made = last.said.messages_out
    if not made:
        return None
    for call in made[0].calls():
        if call.name in tools and call.value is not None and call.value.state == "present":
            return Reply(call.value.value, "inferred:output_tool")
    ran = [n for n in draft.tools if n.start >= last.start and n.said.tool and n.said.tool.value in tools]
    if ran:  # so the words of the model are not the reply
        given = ran[-1].said.result
        return Reply(given.value, "inferred:output_tool") if given is not None and given.state == "present" else None
    words = None if any(message.calls() for message in made) else _assistant(made)
    return Reply(words, "inferred:model") if words is not None else None


def _from_messages(draft: Draft) -> Reply | None:
    """What others received from the job: its last words."""
    told = [message for node in draft.nodes for message in node.said.transcript or ()]
    words = _assistant(told)
    return Reply(words, "inferred:messages") if words is not None else None


def _pending(messages: list[Message] | None) -> bool:
    """Whether the last message asks for calls that no message answers: its words only accompany them."""
    if not messages or not messages[-1].calls():
        return False
    answered = {part.id for message in messages for part in message.parts if part.kind == "result"}
    return any(call.id not in answered for call in messages[-1].calls())


def _assistant(messages: list[Message] | None) -> str | None:
    """The words of the last assistant message."""
    for message in reversed(messages or ()):
        if message.role in ("assistant", ""):
            return None if message.calls() and not message.text() else message.text()
    return None


def _unwrapped(value: Any, words: Callable[[list[Message]], str | None]) -> Any:
    """The words within a state object (`{"messages": [...]}`); any other value is the words themselves."""
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        return words(parse(value["messages"]))
    return value
