"""Whether every call that a job's models asked for is known, also one that never ran.

Spans of tools tell what ran. A call that was refused, that waits for somebody, or that hands over to another agent may have
no span of its own: only the model's words tell of it. So a model call whose output is not there is settled in another way, or
it leaves the requests open:

- it failed, and so asked for nothing;
- the next model call of the job was given the answers to what it asked for;
- something that it asked for ran, between it and the next model call of the job;
- it says that it stopped. Not every API means by that what it says (Gemini's stops, the Responses API completes, with calls
  and without), so the word does not count from Gemini, nor in a job where a model call stopped and asked all the same.

A handoff that ran and of which no call tells is a call whose name is not recorded: then what ran is not known in full, either.
"""

from bisect import bisect_left
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.outcome import failure
from collector.normalize.assemble.twins import real_id
from collector.normalize.events import FINISH
from collector.normalize.messages import trailing_results
from collector.tree import Capture, Job, captured

REASON = "requests_not_recorded"
_LAST = 2**64
_GEMINI = ("gemini", "google", "gcp", "vertex")
"""Beginnings of the names of providers that speak Gemini's API."""


class Turn(NamedTuple):
    """A model call, the next one of the job, and whether something ran, or took over, between them."""

    node: Node
    following: Node | None
    ran: bool
    handed: bool

    @property
    def stopped(self) -> bool:
        """Whether it says that it stopped by itself."""
        return finish(self.node) == "stop"

    @property
    def asked(self) -> bool:
        """Whether it is seen to have asked for a call, whatever it says."""
        made = self.node.said.messages_out or ()
        return self.ran or self.handed or any(message.calls() for message in made)


def of(draft: Draft, silent: list[Turn], tools: Capture, proofs: AbstractSet[str]) -> Capture:
    """The capture of requests, of which some may be unknown. Without any model call it is as good as that of the tools."""
    if not draft.models:
        return tools
    if "requests" in proofs or not silent:
        return captured("present")
    return captured("absent" if tools.state == "absent" else "partial", REASON)


def ran_unnamed(draft: Draft, silent: list[Turn]) -> bool:
    """Whether a call ran whose name is not recorded: a handoff, by a model call of which nothing is known.

    Or one by which another job gave the control back: where that history is not recorded, no span tells of it.
    """
    if any(turn.handed for turn in silent):
        return True
    ends = [child.last.main.span.end for child in draft.children if child.via == "handoff" and child.last.main.span]
    if not ends:
        return False
    return any(node.start >= min(ends) for node in draft.models if node.said.messages_in is None)


def left_open(draft: Draft, job: Job) -> bool:
    """Whether the job's last model call asked for something that is not known, and of which nothing ran."""
    last = draft.models[-1] if draft.models else None
    if last is None or finish(last) != "tool_call":
        return False
    return any(turn.node is last and not turn.handed for turn in unknown(draft, job))


def says_all(node: Node) -> bool:
    """Whether a model's output is there with all the calls that it asked for."""
    said = node.said
    if said.messages_out is None:
        return False
    told = finish(node)
    if told is None:
        return any(message.parts for message in said.messages_out)
    return told != "tool_call" or any(message.calls() for message in said.messages_out)


def finish(node: Node) -> str | None:
    """Why the model stopped, in the convention's words."""
    said = node.said
    told = said.finish.value if said.finish else next((m.finish for m in said.messages_out or () if m.finish), None)
    return FINISH.get(told.lower(), told) if told is not None else None


def unknown(draft: Draft, job: Job) -> list[Turn]:
    """The model calls of which nobody knows what they asked for; `job` must know its calls."""
    if all(map(says_all, draft.models)):
        return []  # so it is in most jobs
    turns = _turns(draft, job)
    lies = any(turn.stopped and turn.asked for turn in turns)
    return [turn for turn in turns if not _settled(turn, lies=lies)]


def _settled(turn: Turn, *, lies: bool) -> bool:
    means_it = turn.stopped and not lies and not _speaks_gemini(turn.node)
    return bool(says_all(turn.node) or failure(turn.node) or turn.ran or means_it or _answered(turn.following))


def _turns(draft: Draft, job: Job) -> list[Turn]:
    ran = sorted(call.started for call in job.tool_calls if call.started is not None)
    handed = [node.start for node in draft.nodes if node.role == "handoff"]
    handed = sorted([*handed, *(child.start for child in draft.children if child.via == "handoff")])
    out = []
    for node, following in pairwise([*draft.models, None]):
        if node is not None:
            end = following.start if following else _LAST
            out.append(Turn(node, following, _within(ran, node.start, end), _within(handed, node.start, end)))
    return out


def _within(times: list[int], start: int, end: int) -> bool:
    """Whether one of the times, which are in order, lies after the start and before the end."""
    at = bisect_left(times, start)
    return at < len(times) and times[at] < end


def _answered(following: Node | None) -> bool:
    """Whether the next model call was given the answers to all calls before it, by which those are known, too."""
    answers = trailing_results(following.said.messages_in) if following else []
    return bool(answers) and all(real_id(part.id) for part in answers)


def _speaks_gemini(node: Node) -> bool:
    named = node.said.provider or node.said.model
    words = named.value.lower() if named is not None and isinstance(named.value, str) else ""
    return words.startswith(_GEMINI)
