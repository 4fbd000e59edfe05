"""What a job was asked and what it answered, with where that stands.

The reply: declared by the job's span, else given through an output tool, else the words of its last own model call that
asked for no tool; after a handoff the words of the job that took over. Never a tool's output, never the words beside a tool
call, never those of a failed job.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from collector.normalize.assemble.draft import Draft
from collector.normalize.messages import Message, parse
from collector.tree import Job


class Reply(NamedTuple):
    """A reply and its source (`declared`, `inferred:…`); `unreadable` is why it was there and cannot be used."""

    value: Any = None
    source: str | None = None
    unreadable: str | None = None


def asked(draft: Draft) -> Reply:
    """The job's input: declared, else the last words of the user at the beginning of this run."""
    told = draft.told("input")
    if told is not None and told.state == "present":
        return Reply(_unwrapped(told.value, _user), "declared")
    for node in reversed(draft.spans):
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
    return Reply(unreadable=told.reason if told else None)


def _user(messages: list[Message], *, first: bool = False) -> str | None:
    order = messages if first else reversed(messages)
    return next((words for m in order if m.role in ("user", "") and (words := m.text()) is not None), None)


def answered(draft: Draft, job: Job) -> Reply:
    """The job's reply; `job` must know its status and its children."""
    told = draft.told("output")
    if told is not None and told.state == "present":
        return Reply(_unwrapped(told.value, _assistant), "declared")
    for node in reversed(draft.spans):
        words = _assistant(node.said.messages_out)
        if words is not None and job.status != "failed":
            return Reply(words, "declared")
    if job.status in ("failed", "awaiting_approval"):
        return Reply(unreadable=told.reason if told else None)
    taken = next((child for child in reversed(draft.children) if child.via == "handoff"), None)
    if taken is not None and taken.job is not None and taken.job.reply is not None:
        return Reply(taken.job.reply, "inferred:handoff")
    return _from_models(draft) or Reply(unreadable=told.reason if told else None)


def _from_models(draft: Draft) -> Reply | None:
    if not draft.models:
        return None
    tools = {tool for node in (*draft.spans, *draft.models) for tool in node.said.output_tools}
    last = draft.models[-1]
    made = last.said.messages_out
    if not made:
        return None
    for call in made[0].calls():
        if call.name in tools and call.value is not None and call.value.state == "present":
            return Reply(call.value.value, "inferred:output_tool")
    words = None if any(message.calls() for message in made) else _assistant(made)
    return Reply(words, "inferred:model") if words is not None else None


def _assistant(messages: list[Message] | None) -> str | None:
    """The words of the last assistant message."""
    for message in reversed(messages or ()):
        if message.role in ("assistant", ""):
            return None if message.calls() and not message.text() else message.text()
    return None


def _unwrapped(value: Any, words: Callable[[list[Message]], str | None]) -> Any:
    """The words within a state object (`{"messages": [...]}`); any other value is the words themselves."""
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        found = words(parse(value["messages"]))
        return value if found is None else found
    return value
