"""Files of scenario checks. What the conditions and rules mean is tested in `tests/grader/rules/test_s1_*.py`."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.formats.scenario import FORMAT
from grader.suites import read_suites
from grader.syntax.mistakes import SuiteError
from tests.grader.rules.vocabularies import VOCABULARIES, refused, scenarios

SUITES = VOCABULARIES / "scenario" / "suites"
TOOL = {"type": "tool_called", "tool": "f"}


def test_a_definition_is_a_case_a_scenario() -> None:
    """With its id or its number, its input, its line, and how many runs it asks for."""
    (suite,) = read_suites([SUITES / "refund.json"])
    assert (suite.name, suite.format, suite.notices) == ("refund policy", "scenario", ())
    assert [(c.name, c.line, c.samples) for c in suite.cases] == [("within 30 days", 5, 3), ("after 30 days", 6, 3)]
    assert suite.cases[1].request == {"message": "Refund order EC-7", "locale": "en"}
    gate: Any = suite.gate
    assert (gate.samples, gate.minimum, gate.rate.top, gate.rate.bottom) == (3, 2, 133, 200)


def test_yaml_and_extensions() -> None:
    """The same form in YAML; a scenario without an id is called by its number."""
    (suite,) = read_suites([SUITES / "extended.yaml"])
    assert [c.name for c in suite.cases] == ["scenario 1"]
    assert len(suite.cases[0].expect) == 4
    assert "output_contains, output_matches, output_not_contains, output_valid_json" in suite.notices[0]


def test_unknown_keys_of_a_file_and_of_a_scenario_are_notices() -> None:
    """They are the live runner's business."""
    suite = scenarios(TOOL, agentId="x", scenarios=[{"id": "a", "input": "A", "title": "t"}])
    assert suite.notices == ("not read: 'agentId'",)
    assert suite.cases[0].notices == ("not read: 'title'",)


def test_all_mistakes_are_told_at_once() -> None:
    """Of the file, the scenarios and the conditions."""
    found = refused(scenarios, {"type": "x"}, {"type": "tool_called"}, scenarios=[{}], requiredPassRate=0)
    assert len(found.splitlines()) == 4


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ({"scenarios": [], "assertions": []}, True),
        ({"assertions": []}, True),
        ({"scenarios": []}, True),
        ({"scenarios": [], "tests": []}, False),
        ({"name": "x"}, False),
        ([{"scenarios": []}], False),
    ],
)
def test_what_is_recognised(content: Any, known: bool) -> None:
    """By either of its lists."""
    assert FORMAT.recognises(orjson.dumps(content).decode()) is known


KEYS = st.sampled_from(["name", "version", "scenarios", "id", "input", "assertions", "type", "tool", "value", "pattern",
                        "count", "samplesPerScenario", "minimumValidResults", "requiredPassRate", "x"])  # fmt: skip
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-1, 3)
    | st.floats()
    | st.sampled_from(["", "tool_called", "output_matches", "("])
)
ANY = st.recursive(
    LEAVES, lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=5), max_leaves=25
)


def attempt(content: Any) -> Any:
    """The suite, or what is wrong with it."""
    try:
        return FORMAT.read(Path("f.json"), orjson.dumps(content).decode())
    except SuiteError as error:
        return error


@given(ANY)
def test_no_content_breaks_the_reader(content: Any) -> None:
    """It is a suite, or has mistakes, each with a line."""
    suite = attempt(content)
    if isinstance(suite, SuiteError):
        assert all(m.line > 0 and m.message for m in suite.mistakes)
    else:
        assert suite.cases
        assert len(suite.hash) == 32
