"""`expected_child_agents`: what the agents that this one triggers were given and did, to any depth (S3-23 to S3-37)."""

from collections.abc import Iterator

from grader.checks.child import Child
from grader.checks.waited import Waited
from grader.condition import Condition
from grader.connic.reading import PAYLOAD, expression, fixture
from grader.connic.results import expected_result
from grader.connic.tools import Asked, tool_checks
from grader.scene import Primitive
from grader.syntax.foreign import Fields, kind_of
from grader.triggers import Trigger

CHILDREN = "expected_child_agents"
DEEPEST = 40
"""Levels of children; a file that nests deeper is a mistake."""

TRIGGERS = (
    Trigger(tool="trigger_agent", agent="agent_name", payload="payload", wait="wait_for_response", mode="waited"),
    Trigger(tool="trigger_agent_at", agent="agent_name", payload="payload", wait=None, mode="scheduled"),
)
"""The product's own tools; the second is never waited for (S3-29)."""

_WAIT = "what it did is checked only where the agent waits for it (trigger_agent with wait_for_response=True)"


def child_checks(fields: Fields, *, built: bool, depth: int = 1) -> Iterator[Asked]:
    """One check a child."""
    if not fields.has(CHILDREN):
        return
    children = fields.values[CHILDREN]
    if not isinstance(children, dict):
        fields.wrong(CHILDREN, f"must map agents to what is expected of them, is {kind_of(children)}")
        return
    if depth > DEEPEST:
        fields.wrong(CHILDREN, f"is nested more than {DEEPEST} deep")
        return
    for agent, below in children.items():
        where = (*fields.where, CHILDREN, agent)
        entry = fields.sheet.fields(where, {} if below is None else below)
        line = fields.sheet.document.line(where)
        yield CHILDREN, f"child {agent}", _child(str(agent), entry, built=built, depth=depth), line


def _child(agent: str, entry: Fields, *, built: bool, depth: int) -> Child:
    """All on the same trigger (S3-31); what looks deeper than its payload, on one that was waited for (S3-27, S3-28)."""
    least = entry.whole_or("expected_triggered", 1, 1)  # S3-24: at least so many
    payload = _payload(entry, built=built)
    result = expected_result(entry, built=built)
    deeper = [] if result is None else [result]
    deeper += [primitive for _, _, primitive, _ in tool_checks(entry, built=built)]
    deeper += [primitive for _, _, primitive, _ in child_checks(entry, built=built, depth=depth + 1)]
    entry.close()
    body = (*payload, *((Waited(_WAIT), *deeper) if deeper else ()))
    return Child(agent=agent, least=least, most=None, mode=None, body=body, triggers=TRIGGERS)


def _payload(entry: Fields, *, built: bool) -> tuple[Primitive, ...]:
    """S3-26: of any trigger."""
    found = expression(entry, "expected_payload", PAYLOAD)
    if found is None:
        return ()
    condition = Condition(source=found.source, roots=PAYLOAD, scope="job")
    return (fixture(condition, built=built, mentions=found.mentions("context")),)
