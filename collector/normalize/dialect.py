"""What a dialect is: a table from attribute keys to facts, over shared readers.

Dialects are claimed **per span**, and several may speak about one span. Each adds what it knows to the span's `Sighting`;
the more specific one (lower rank) speaks first, and what is said stays said, unless it could not be read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from collector.normalize.messages import Message
from collector.normalize.reading import Event, Span
from collector.normalize.taken import NOTHING, Mark, Missed
from collector.normalize.values import Reader, Value, name, withheld
from collector.tree import Approval, Decision, SkillRead

Role = Literal[
    "job",
    "workflow",
    "step",
    "model",
    "tool",
    "handoff",
    "retrieval",
    "embedding",
    "memory",
    "guardrail",
    "noise",
]
"""What a span stands for; a workflow is a container of jobs, without a model of its own."""


@dataclass(slots=True)
class Report:
    """What a log tells of a tool call that other spans and logs tell of, too: joined by the call id."""

    call_id: str
    name: str | None = None
    arguments: Value | None = None
    result: Value | None = None
    failed: bool = False
    error: str | None = None


_NONE: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Sighting:
    """Everything that the dialects say about one span. None means: this span does not say."""

    role: Role | None = None
    dialects: tuple[str, ...] = ()
    proves: frozenset[str] = _NONE
    settled: frozenset[str] = _NONE  # facts (and "messages") that lower dialects must not add
    # the job
    agent: Value | None = None
    agent_id: Value | None = None
    run_key: Value | None = None  # one value for one run of one agent, on every span of it
    job_id: Value | None = None
    parent_job_id: Value | None = None
    conversation: Value | None = None
    input: Value | None = None
    output: Value | None = None
    status: Value | None = None
    constraints: Value | None = None
    context: Value | None = None
    captured: Value | None = None
    batch: Value | None = None
    case: Value | None = None
    suite: Value | None = None
    transcript: list[Message] | None = None
    transcript_from: int = 0
    output_tools: frozenset[str] = _NONE
    handed_from: Value | None = None
    handed_to: Value | None = None
    runs: Value | None = None  # a tool span: the agent that the call runs, whether or not that has a span of its own
    turn: Value | None = None  # the agent whose turn begins here, where agents have no spans of their own
    mode: Value | None = None
    payload: Value | None = None
    caused: bool = False  # a message's span: what its link names stands above it, in whatever trace
    relay: bool = False  # whoever is reached through this span does not work for the job that it belongs to
    # the model call
    model: Value | None = None
    provider: Value | None = None
    response_id: Value | None = None
    finish: Value | None = None
    input_tokens: Value | None = None
    output_tokens: Value | None = None
    cache_read_tokens: Value | None = None
    cache_write_tokens: Value | None = None
    reasoning_tokens: Value | None = None
    cost_usd: Value | None = None
    messages_in: list[Message] | None = None
    messages_out: list[Message] | None = None
    failed_results: frozenset[str] = _NONE  # ids of calls whose results in the input are errors
    # the tool call
    tool: Value | None = None
    qualified: Value | None = None
    tool_kind: Value | None = None
    call_id: Value | None = None
    arguments: Value | None = None
    result: Value | None = None
    error: Value | None = None
    tool_failed: bool = False  # the result says so, whatever the span's status
    deferred: Value | None = None  # stopped to wait (ApprovalRequired, …): neither failed nor done
    # more
    guessed: bool = False  # the role was guessed from a name: it holds only if the span proves to be a graph
    level: int | None = None  # how deep in nested graphs the span stands, where its framework tells
    graph: str | None = None  # the name under which a graph or a node of one runs
    within: str | None = None  # the run of a nested graph that the span stands in, or is
    orchestrates: bool = False  # a container that is a job of its own, however few jobs it holds
    actor: Value | None = None  # the id of the agent that a span belongs to, where that agent has no span of its own
    child_agent: Value | None = None  # the agent that a tool call starts
    resumes: Value | None = None  # a call id whose end a job was started to report
    opens: bool = False  # a tool call whose work may go on after it returned
    reports: tuple[Report, ...] = ()
    control_flow: bool = False  # an error status that is no failure
    query: Value | None = None
    documents: Value | None = None
    approvals: tuple[Approval, ...] = ()
    decisions: tuple[Decision, ...] = ()  # on what was asked before, in that order
    skills: tuple[SkillRead, ...] = ()
    missed: Missed = NOTHING  # attributes that rules took out whole and that would have told more than one fact


@dataclass(frozen=True, slots=True)
class Key:
    """An attribute that may hold a fact, and how to read it."""

    path: str
    read: Reader = name


Quirk = Callable[[Span, Sighting], None]
"""What a table cannot say: looks at the span, adds to the sighting. Must be total, like the readers."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A quirk that has something to say only of spans which hold one of these attributes: others do not even ask it."""

    paths: frozenset[str]
    quirk: Quirk


def holding(*paths: str) -> Callable[[Quirk], Holding]:
    """Makes a function a quirk of spans which hold one of these attributes."""
    return lambda quirk: Holding(frozenset(paths), quirk)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One way of writing spans.

    `claims` may look at the span's scope and writer and at the names of its attributes and events (`sight.py` says which).
    `rank` orders dialects that speak about one span (lower first: the user's own names 0, a vendor's 10, the semantic
    conventions 20, generic vocabularies 30). `proves` names the kinds of evidence that a trace in this dialect holds
    completely when content is recorded: without such a promise, "not seen" is never "did not happen".
    """

    name: str
    rank: int
    claims: Callable[[Span], bool]
    role: Callable[[Span], Role | None] = lambda _span: None
    fields: Mapping[str, tuple[Key, ...]] = field(default_factory=dict)
    proves: frozenset[str] = frozenset()
    quirks: tuple[Quirk | Holding, ...] = ()


def keys(*paths: str, read: Reader = name) -> tuple[Key, ...]:
    """Several attributes for one fact, best first, read in the same way."""
    return tuple(Key(path, read) for path in paths)


def say(sighting: Sighting, fact: str, value: Value | None) -> None:
    """Add a fact unless one is known; a readable value replaces an unreadable one, but for one that a rule took out."""
    if value is None:
        return
    if value.state == "malformed" and isinstance(value.value, Mark):
        value.value.told = True  # whether or not another told the fact before
    if fact in sighting.settled:
        return
    known = getattr(sighting, fact)
    if known is None or (known.state != "present" and value.state == "present" and not withheld(known)):
        setattr(sighting, fact, value)


def scope(*prefixes: str) -> Callable[[Span], bool]:
    """Claims spans whose scope is one of the names, or below one (`a.b` claims `a.b.c`, never `a.bc`)."""
    below = tuple(prefix + "." for prefix in prefixes)
    return lambda span: span.scope in prefixes or span.scope.startswith(below)


def any_key(*paths: str) -> Callable[[Span], bool]:
    """Claims spans that hold one of the attributes."""
    return lambda span: not span.attributes.keys().isdisjoint(paths)


def prefix(*starts: str) -> Callable[[Span], bool]:
    """Claims spans that hold an attribute whose name begins so."""
    return lambda span: any(path.startswith(starts) for path in span.attributes)


def either(*tests: Callable[[Span], bool]) -> Callable[[Span], bool]:
    """Claims what any of the tests claims."""
    return lambda span: any(test(span) for test in tests)


def exception_of(events: list[Event]) -> tuple[str, str] | None:
    """Type and message of the last exception event."""
    for event in reversed(events):
        if event.name == "exception":
            kind, message = event.attributes.get("exception.type"), event.attributes.get("exception.message")
            return (str(kind or ""), str(message or ""))
    return None


def attribute(span: Span, path: str) -> Any:
    """An attribute of the span, else of its resource."""
    found = span.attributes.get(path)
    return span.resource.get(path) if found is None else found
