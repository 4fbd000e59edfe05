"""A message of a job's conversation: the part of the canonical model that is stored beside the tree and not within it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Message:
    """One message, however often it was sighted. Its position is that in the job's list.

    `role` is system, user, assistant or tool. `text` is what was said, of a tool message the result; None where there are
    no words or they were not captured (`flags` say why). `calls` are those that an assistant asks for, each `{id, name}`;
    `call_id` is the call that a tool message answers. `at` is when the model call began that was given it, or ended that
    made it (nanoseconds); `spans` are those of that model call.
    """

    role: str
    text: str | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    call_id: str | None = None
    finish: str | None = None
    at: int | None = None
    flags: list[str] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)


class Conversation:
    """What a job holds beside its fields.

    Messages repeat what input, reply and calls say, with all their text, and no check reads them. So they have a table of
    their own: a run's tree (its JSON, its digest, what is compared) stays half the size without them.
    """

    __slots__ = ("messages",)
    messages: list[Message]
