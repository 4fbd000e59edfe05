"""Values that a rule took out whole: who wanted them, and whether a fact says that it was taken out."""

import json
from typing import Any

import pytest

from collector.normalize.taken import LEFT_OUT, Mark, Taken, begin, missed, taken
from tests.normalize.spans import row, seen

MARK = "[REDACTED:taken]"
AGENTS = "openinference.instrumentation.openai_agents"


def notes(*at: str, action: str = "mask") -> dict[str, str]:
    """The column `beside` of a row in which a rule took these out."""
    told = [{"at": a, "kind": "redacted", "value": {"rule": "taken", "action": action}} for a in at]
    return {"beside": json.dumps(told, separators=(",", ":"))}


def test_only_whole_values_are_marks() -> None:
    """A value that holds a mark as a piece, or is one without a note, is an attribute like others."""
    found: list[Taken] = []
    held = taken({"a": MARK, "b": f"to {MARK}", "c": MARK, "d": {"x": MARK}}, {"a", "b", "d", "e"}, found)
    assert found == [held]
    assert {key for key, value in held.items() if isinstance(value, Mark)} == {"a", "e"}
    assert held["e"] == LEFT_OUT
    assert taken({"b": f"to {MARK}"}, {"b"}, found) == {"b": f"to {MARK}"}
    assert len(found) == 1


def test_what_is_asked_for_and_not_told_is_missed() -> None:
    """By either way of reading a dictionary; a look whether it is there asks for nothing, and a new reader begins anew."""
    found: list[Taken] = []
    held = taken(dict.fromkeys("abc", MARK), set("abc"), found)
    assert "c" in held
    assert (held["a"], held.get("b")) == (MARK, MARK)
    held["a"].told = True
    assert missed(found).more == {"b"}
    held["b"].words = True
    assert (missed(found).words, missed(found).more) == ({"b"}, frozenset())
    begin(found)
    assert not missed(found)


HANDOFF = {"openinference.span.kind": "TOOL", "input.value": "one", "output.value": MARK}


@pytest.mark.parametrize("action", ["mask", "drop"])
def test_a_handoff_without_its_target_misses_it(action: str) -> None:
    """No mark is an agent's name: the span's own name says to whom, and that something is missed."""
    held: dict[str, Any] = dict(HANDOFF)
    if action == "drop":
        del held["output.value"]
    beside = notes("/attributes/output.value", action=action)
    said = seen(row("s", held, name="handoff to two", scope=AGENTS) | beside)
    assert (said.role, said.handed_to and said.handed_to.value) == ("handoff", "two")
    assert said.missed.more == {"output.value"}


def test_a_fact_that_says_that_it_is_gone_is_not_missed() -> None:
    """A tool's result is unreadable, which tells all there is to tell; its messages are missed as words."""
    tool = row("s", {"openinference.span.kind": "TOOL", "tool.name": "look", "output.value": MARK}, scope=AGENTS)
    said = seen(tool | notes("/attributes/output.value"))
    assert (said.result and said.result.reason, bool(said.missed)) == ("redacted", False)
    model = row("s", {"gen_ai.operation.name": "chat", "gen_ai.input.messages": MARK})
    assert seen(model | notes("/attributes/gen_ai.input.messages")).missed.words == {"gen_ai.input.messages"}


def test_nothing_stands_in_for_what_a_rule_took_out() -> None:
    """Arguments that were taken out are not read from another attribute of the span."""
    held = {"openinference.span.kind": "TOOL", "tool.name": "x", "input.value": MARK, "tool.parameters": '{"a": 1}'}
    said = seen(row("s", held, scope=AGENTS) | notes("/attributes/input.value"))
    assert said.arguments is not None
    assert said.arguments.state == "malformed"
