"""Tool calls that the reply itself reports."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.checks.called import Count
from grader.checks.reported_calls import ReportedCalls
from grader.outcome import Finding
from grader.scene import Scene
from grader.wanted import STATES, Wanted
from tests.grader.trees import captured, child, scene

CALLS = [{"name": "f", "status": "requested"}, {"name": "f", "status": "failed", "input": {"a": 1}, "output": None}]


class Seen:
    """Remembers what the check below was shown."""

    def decide(self, scene: Scene) -> Finding:
        self.scene = scene
        return Finding(True, "seen")


def seen(reply: Any, captures: Any = None) -> Scene:
    check = Seen()
    states: Any = {"tools": "absent"} | (captures or {})
    ReportedCalls(key="calls", then=check).decide(scene("g", reply=reply, capture=captured(**states)))
    return check.scene


def test_reported_calls_stand_in_for_a_trace_that_records_none() -> None:
    """With their states, arguments and results, as far as these were reported."""
    for reply in ({"calls": CALLS}, orjson.dumps({"calls": CALLS}).decode()):
        found = seen(reply).calls("tree").items
        assert [(c.name, c.state) for c in found] == [("f", "requested"), ("f", "failed")]
        assert [c.arguments_capture for c in found] == ["absent", "present"]
        assert (found[1].arguments, found[1].result, found[1].result_capture) == ({"a": 1}, None, "present")
        assert seen(reply).complete("tools", "tree")


@pytest.mark.parametrize(
    "captures", [{"tools": "present"}, {"tools": "partial"}, {"tools": "malformed"}, {"reply": "partial"}]
)
def test_what_the_trace_recorded_goes_first(captures: Any) -> None:
    """And a cut reply reports nothing."""
    assert [c.name for c in seen({"calls": CALLS}, captures).calls("tree").items] == ["g"]


@pytest.mark.parametrize("reply", ["text", None, [], {}, {"other": []}, "[1]"])
def test_a_reply_that_reports_nothing_changes_nothing(reply: Any) -> None:
    """The evidence stays absent."""
    assert seen(reply).capture("tools", "tree") == "absent"


@given(
    st.recursive(
        st.none() | st.text(max_size=3) | st.integers(), lambda s: st.lists(s) | st.dictionaries(st.text(max_size=3), s)
    )
)
def test_whatever_is_reported_is_evidence_or_malformed(reported: Any) -> None:
    """Never a crash."""
    state = seen({"calls": reported}).capture("tools", "tree")
    assert state == ("present" if reported == [] else "malformed")


def test_reported_calls_are_those_of_the_whole_run() -> None:
    """Jobs below, whose calls nobody recorded, leave nothing open."""
    wanted = Wanted(tool="f", names="exact", states=STATES["attempted"])
    check = ReportedCalls(key="calls", then=Count(wanted=wanted, least=2, most=2, scope="tree"))
    below = [child("helper", capture=captured(tools="absent"))]
    assert check.decide(scene(reply={"calls": CALLS}, jobs=below, capture=captured(tools="absent"))).truth is True
