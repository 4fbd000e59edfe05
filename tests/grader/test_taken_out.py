"""What a rule took out makes nothing look complete, and no check pass: real traces, one value of one span at a time.

Ids and names that tie evidence together cannot be taken out (tests/redact/test_joins.py); anything else can. Traces that only a
growing history joins are joined no more without it (README, "What is never stored"): a job that is made of other spans than
before is another job, and is not compared.
"""

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import orjson
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from collector import normalize
from collector.decode import Decoded
from collector.redact import joins
from collector.redact.rows import Redactor
from collector.redact.rules import Action, Rule, Rules
from collector.tree import MAY_HAVE_RUN, Job, Run, ToolCall
from tests import captures
from tests.grader.test_removal import PROFILE, made_green

EVERY_SPAN = bool(os.environ.get("TAKEN_OUT_ALL"))
"""Whether each attribute is taken out of each span that holds it; else one in three, of the first (make redactions)."""

ACTIONS: tuple[Action, ...] = ("mask", "drop", "hash")


class Place(NamedTuple):
    """An attribute of one row of a capture."""

    kind: str
    row: int
    key: str


@cache
def places(name: str, *, every: bool) -> list[Place]:
    """Attributes that a rule may name, in each row that holds them or in the first."""
    found: dict[tuple[str, str, int], Place] = {}
    for kind in ("spans", "logs"):
        for row, held in enumerate(getattr(captures.load(name), kind)["attributes"].to_pylist()):
            for key in orjson.loads(held or "{}"):
                if not joins.holds(key):
                    found.setdefault((kind, key, row if every else 0), Place(kind, row, key))
    return list(found.values())


def taken_out(name: str, place: Place, action: Action) -> tuple[pa.Table, pa.Table]:
    """The capture's rows as a rule for this attribute stores them, had it come with this one row."""
    capture = captures.load(name)
    table: pa.Table = getattr(capture, place.kind)
    row = {column.name: _plain(column, table[column.name].slice(place.row, 1)) for column in table.schema}
    rules = Rules((Rule("taken", action, "key", place.key),), b"0123456789abcdef")
    stored = Redactor(rules)(Decoded("spans" if place.kind == "spans" else "logs", row, 1, 0)).columns
    changed = pa.table({n: pa.array(stored[n], table.schema.field(n).type) for n in table.column_names})
    table = pa.concat_tables([table.slice(0, place.row), changed, table.slice(place.row + 1)])
    return (table, capture.logs) if place.kind == "spans" else (capture.spans, table)


def _plain(column: pa.Field, values: pa.ChunkedArray) -> list[Any]:
    """Times as numbers: Python's own know no nanoseconds."""
    return (values.cast(pa.int64()) if pa.types.is_timestamp(column.type) else values).to_pylist()


def jobs(runs: list[Run]) -> dict[str, Job]:
    """All jobs by their ids."""
    return {job.id: job for run in runs for job in run.root.walk()}


@cache
def whole(name: str) -> dict[str, Job]:
    """The jobs of a capture as it is."""
    return jobs(captures.load(name).trees())


def _state(call: ToolCall) -> str | None:
    """What is known of how a call ended: `answered` says that this is not, and so does a flag of `requested`."""
    return None if call.state == "answered" or MAY_HAVE_RUN in call.flags else call.state


def evidence(job: Job) -> dict[str, Any]:
    """What a job holds of each kind of evidence, for comparison. Contents of calls are compared call by call."""
    return {
        "input": job.input,
        "reply": job.reply,
        "requests": Counter(call.name for call in job.tool_calls),
        "model_calls": [(call.started, call.error is None) for call in job.model_calls],
        "children": [(below.agent, below.via, below.delegation and below.delegation.mode) for below in job.jobs],
        "approvals": [(a.tool, a.call_id, a.kind, a.decision, a.source) for a in job.approvals],
        "skills": [(skill.name, skill.resource, skill.source, skill.declared) for skill in job.skills],
        "retrievals": [(found.query, found.documents) for found in job.retrievals],
        "cost": [call.cost_usd for call in job.model_calls],
        "constraints": job.constraints,
    }


def other_calls(before: Job, after: Job) -> Iterator[str]:
    """The kinds of evidence about calls that are not what they were, where something still says that they are known."""
    was, now = ([(c.name, _state(c), c.attempts) for c in job.tool_calls] for job in (before, after))
    states = [(*w[:1], None, *w[2:]) if any(n[1] is None and n[0] == w[0] for n in now) else w for w in was]
    if Counter(states) != Counter(now) and Counter(was) != Counter(now):
        yield "tools"
    for kind, fact, capture in (
        ("tool_args", "arguments", "arguments_capture"),
        ("tool_args", "requested_arguments", "requested_capture"),
        ("tool_results", "result", "result_capture"),
    ):
        known = {(call.name, repr(getattr(call, fact))) for call in before.tool_calls}
        names = {call.name for call in before.tool_calls}  # other calls are a matter of the list
        told = [call for call in after.tool_calls if getattr(call, capture) == "present" and call.name in names]
        if any((call.name, repr(getattr(call, fact))) not in known for call in told):
            yield kind


def overclaimed(before: dict[str, Job], after: dict[str, Job]) -> list[tuple[str, str]]:
    """Job and kind of evidence where it is other than before, and still said to be all there."""
    found = []
    for name, was in before.items():
        now = after.get(name)
        if now is None or now.spans != was.spans:
            continue
        old, new = evidence(was), evidence(now)
        other = {*(kind for kind in old if old[kind] != new[kind]), *other_calls(was, now)}
        found += [(name, kind) for kind in sorted(other) if now.capture[kind].state == "present"]
    return found


@pytest.mark.parametrize("name", captures.NAMES)
def test_what_is_taken_out_makes_nothing_look_complete(name: str) -> None:
    """A kind of evidence that is other than it was without the rule is never said to be present."""
    found = places(name, every=EVERY_SPAN)
    chosen = found if EVERY_SPAN else found[captures.NAMES.index(name) % 3 :: 3]
    for number, place in enumerate(chosen):
        action = ACTIONS[number % len(ACTIONS)]
        after = jobs(normalize.trees(*taken_out(name, place, action)))
        assert overclaimed(whole(name), after) == [], (place, action)


@PROFILE
@given(name=st.sampled_from(captures.NAMES), data=st.data())
def test_what_is_taken_out_makes_no_pass(name: str, data: st.DataObject) -> None:
    """No check of any type goes from fail or undecided to pass."""
    found = places(name, every=True)
    assume(found)
    place, action = data.draw(st.sampled_from(found)), data.draw(st.sampled_from(ACTIONS))
    assert made_green(name, *taken_out(name, place, action)) == []
