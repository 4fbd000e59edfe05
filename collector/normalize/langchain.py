"""What LangChain and LangGraph put into values, whichever instrumentation writes the spans.

Messages come serialised in two ways (`{"type": "ai", "data": {…}}` and `{"lc": 1, "kwargs": {…}}`); a tool's output is such a
message, or a command that updates the state or goes to another node; a pause for a decision is an exception that carries
the requests, and the resumption a command that carries the decisions.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from collector.normalize import literals
from collector.normalize.dialect import Sighting, say
from collector.normalize.messages import parse
from collector.normalize.reading import Span
from collector.normalize.values import Value, content, withheld
from collector.tree import Approval, Decision

PARENT = "__parent__"
DECISIONS: dict[str, Decision] = {
    "approve": "approve", "accept": "approve", "edit": "edit", "reject": "reject", "ignore": "reject", "respond": "reject",
}  # fmt: skip
GENERIC = frozenset({"LangGraph", "AgentExecutor", "RunnableSequence", "CompiledStateGraph"})
"""Class names under which a graph without a name runs: nobody's name."""


class Output(NamedTuple):
    """A tool's output: its content, the call it answers, whether it says that it failed, where control goes next."""

    result: Value | None
    call_id: Value | None = None
    failed: bool = False
    goto: Value | None = None


def level(checkpoint: Any) -> int | None:
    """How deep in nested graphs: `outer:id|inner:id` is 2; None where the span does not say."""
    return checkpoint.count("|") + 1 if isinstance(checkpoint, str) and checkpoint else None


def place(said: Sighting, held: Mapping[str, Any], prefix: str = "", *, acts: bool) -> None:
    """What a span's metadata say of where it stands: in which run of a nested graph; what acts, also for which agent."""
    within = held.get(prefix + "checkpoint_ns")
    said.within = within if isinstance(within, str) and within else None
    if acts:
        say(said, "agent", agent_name(held.get(prefix + "lc_agent_name")))


def agent_name(raw: Any) -> Value | None:
    """A graph's name, unless it is only its class's."""
    return Value(raw) if isinstance(raw, str) and raw.strip() and raw not in GENERIC else None


def output(value: Any) -> Output:
    """What a tool's decoded output says; anything that is not LangChain's own stands for itself."""
    if isinstance(value, dict):
        if "graph" in value and "goto" in value:
            target = value.get("goto")
            goto = target if value.get("graph") == PARENT and isinstance(target, str) and target else None
            update = value.get("update")
            answers = update.get("messages") if isinstance(update, dict) else None
            told = _message(answers[-1]) if isinstance(answers, list) and answers else None
            return (told or Output(None))._replace(goto=Value(goto) if goto else None)
        told = _message(value)
        if told is not None:
            return told
    return Output(Value(value))


def _message(value: Any) -> Output | None:
    if not isinstance(value, dict) or not ("data" in value or "kwargs" in value):
        return None
    read = parse([value])
    part = read[0].parts[0] if read and read[0].parts and read[0].parts[0].kind == "result" else None
    if part is None:
        return None
    return Output(part.value, Value(part.id) if part.id else None, part.failed)


def tool(said: Sighting, raw: Any) -> None:
    """Add what a tool span's output says; speaks before the generic reading of it."""
    seen = content(raw)
    if seen is None:
        return
    told = output(seen.value) if seen.state == "present" else Output(seen)
    say(said, "result", told.result)
    say(said, "call_id", told.call_id)
    say(said, "handed_to", told.goto)
    said.tool_failed = said.tool_failed or told.failed


def pauses(span: Span, said: Sighting) -> None:
    """Requests for decisions, from the exception that paused the graph."""
    for event in span.events:
        if event.name == "exception" and str(event.attributes.get("exception.type")).endswith("GraphInterrupt"):
            for request in _requests(event.attributes.get("exception.message")):
                wanted = request.get("args", request.get("arguments"))
                named = request.get("name") or request.get("action")
                said.approvals += (
                    Approval(
                        tool=named if isinstance(named, str) else None,
                        requested_arguments=wanted if isinstance(wanted, dict) else None,
                        requested_at=event.time or None,
                    ),
                )


def _requests(message: Any) -> list[dict[str, Any]]:
    """The `action_requests` within the text of an interrupt: found anywhere in it."""
    if not isinstance(message, str):
        return []
    try:
        value = literals.parse(message)
    except ValueError:
        return []
    stack, out = [value], []
    while stack:
        found = stack.pop()
        if isinstance(found, dict):
            wanted = found.get("action_requests")
            if isinstance(wanted, list):
                out += [item for item in wanted if isinstance(item, dict)]
            else:
                stack.extend(found.values())
        elif isinstance(found, list):
            stack.extend(reversed(found))
    return out


def decisions(value: Any) -> list[Decision]:
    """The decisions that a graph is resumed with, in the order of the requests."""
    resume = value.get("resume") if isinstance(value, dict) else None
    listed = resume.get("decisions", resume) if isinstance(resume, dict) else resume
    items = listed if isinstance(listed, list) else [listed] if isinstance(listed, dict) else []
    kinds = [str(item.get("type")) for item in items if isinstance(item, dict)]
    return [DECISIONS[kind] for kind in kinds if kind in DECISIONS]


def begun_with(said: Sighting, given: Value | None) -> None:
    """A graph's input: the state that it began with, or the command that resumed it (which nobody said)."""
    if given is None or (given.state != "present" and not withheld(given)):
        return
    value = given.value
    if isinstance(value, dict) and "resume" in value and "goto" in value:
        said.decisions = (*decisions(value),)
        said.settled |= {"input"}
    else:
        say(said, "input", given)
