"""Files of job-expectation evals. What the expectations mean is tested in `tests/grader/rules/test_s4_*.py`."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.formats.expectations import read, recognises
from grader.suites import read_suites
from grader.syntax.mistakes import SuiteError
from tests.grader.rules.evals import evals, refused
from tests.grader.suites import DATA

FOLDER = DATA.parent / "vocabularies" / "expectations" / "suites"


def test_a_file_is_a_suite() -> None:
    """With its name, agent, threshold, cases and their lines; what only a live runner knows is told."""
    (suite,) = read_suites([FOLDER / "every.json"])
    gate: Any = suite.gate
    assert (suite.name, suite.format, suite.select.agent) == ("every expectation", "expectations", "support")
    assert (gate.threshold.top, gate.threshold.bottom) == (50, 100)
    assert [(c.name, c.line) for c in suite.cases] == [
        ("an answer", 7),
        ("a failure", 26),
        ("only that it completes", 31),
    ]
    assert suite.cases[0].request == {"order": "A-1234"}
    assert suite.notices == ("not read: 'retries'",)


def test_each_check_has_its_line_and_its_policy() -> None:
    """Missing evidence fails, and every check decides."""
    (suite,) = read_suites([FOLDER / "refunds.yaml"])
    checks = suite.cases[0].expect
    assert [(c.kind, c.position, c.line) for c in checks] == [
        ("status", "1", 5),
        ("cel", "2", 9),
        ("tools_called", "3", 6),
        ("tools_called", "4", 6),
        ("not_called", "5", 7),
        ("skills_read", "6", 8),
        ("approvals", "7", 5),
    ]
    assert {(c.severity, c.unknown) for c in checks} == {("critical", "fail")}


def test_the_name_is_the_files_where_none_is_written() -> None:
    """And the threshold is every case."""
    suite = evals({})
    gate: Any = suite.gate
    assert (suite.name, suite.select.agent, gate.threshold.text) == ("eval", None, "100%")


def test_the_order_of_keys_changes_nothing() -> None:
    """Neither the definition's hash nor the positions of checks."""
    (suite,) = read_suites([FOLDER / "every.json"])
    content = orjson.loads((FOLDER / "every.json").read_bytes())
    turned = read(FOLDER / "every.json", orjson.dumps(_turned(content)).decode())
    assert turned.hash == suite.hash
    assert [c.position for c in turned.cases[0].expect] == [c.position for c in suite.cases[0].expect]


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _turned(value[k]) for k in reversed(value)}
    return [_turned(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ({"expects": {}}, "unknown key 'expects'; did you mean 'expect'?"),
        ({"name": None}, "name: is missing"),
        ({"input": None}, "input: is missing"),
        ({"input": ""}, "input: must be a text or a JSON value, is empty"),
        ({"expect": ["status"]}, "expect: must be a mapping of keys to values, is a list"),
        ({"expect": {"tool_called": "a.b"}}, "unknown key 'tool_called'; did you mean 'tools_called'?"),
        ({"expect": {"max_cost": 1}}, "unknown key 'max_cost'; did you mean 'max_cost_usd'?"),
        ({"expect": {"approvals": [{"what": "f", "decision": "aprove"}]}}, "did you mean 'approve'?"),
        ({"expect": {"approvals": [{"what": "f"}]}}, "approvals[0].decision: is missing"),
        ({"expect": {"approvals": [{"wat": "f", "decision": "deny"}]}}, "unknown key 'wat'; did you mean 'what'?"),
        ({"expect": {"approvals": {"what": "f"}}}, "approvals: must be a list"),
    ],
)
def test_mistakes(case: dict[str, Any], told: str) -> None:
    """Where, what, and what to do."""
    assert told in refused({}, case=case)


def test_all_mistakes_are_told_at_once_with_their_lines() -> None:
    """Of the file, of each case, of each expectation."""
    with pytest.raises(SuiteError) as raised:
        read_suites([FOLDER / "mistakes.yaml"])
    found = [(m.line, m.field) for m in raised.value.mistakes]
    assert found == [
        (2, "threshold"),
        (5, "cases[0].input"),
        (6, "cases[0].constraints[1]"),
        (8, "cases[0].expect.error_contains"),
        (9, "cases[0].expect.cel"),
        (10, "cases[0].expect.tools_called"),
        (11, "cases[0].expect.skills_read"),
        (14, "cases[0].expect.approvals[0].edit"),
        (16, "cases[0].expect.approvals[1].decision"),
        (17, "cases[0].expect.max_second"),
        (18, "cases[1].name"),
    ]


def test_case_names_stand_once() -> None:
    """Runs find their case by them."""
    text = orjson.dumps({"cases": [{"name": "a", "input": "1", "expect": {}}, {"name": "a", "input": "2"}]}).decode()
    with pytest.raises(SuiteError, match="a case 'a' stands on line 1 already"):
        read(Path("eval.json"), text)


def test_other_keys_of_a_case_are_notices() -> None:
    """They are the live runner's business."""
    assert evals({}, case={"tags": ["slow"]}).cases[0].notices == ("not read: 'tags'",)


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ({"cases": [{"name": "a", "input": "b", "expect": {}}]}, True),
        ({"cases": [{"input": "b"}]}, True),
        ({"cases": [{"expect": {}}]}, True),
        ({"cases": [{"name": "a"}]}, False),
        ({"cases": []}, False),
        ({"cases": [{"input": "b", "checks": []}]}, False),
        ({"cases": [{"request": "b"}, {"input": "b"}]}, False),
        ({"tracegrade": 1, "cases": [{"input": "b"}]}, False),
        ({"checks_version": 1, "cases": [{"input": "b"}]}, False),
        ({"cases": {"input": "b"}}, False),
        ([{"input": "b"}], False),
    ],
)
def test_what_is_recognised(content: Any, known: bool) -> None:
    """By the keys of its cases, and never a file of another format."""
    assert recognises(orjson.dumps(content).decode()) is known


KEYS = st.sampled_from(
    ["name", "input", "cases", "threshold", "expect", "constraints", "approvals", "what", "kind", "decision", "edit",
     "status", "error_contains", "contains", "equals", "cel", "max_seconds", "tools_called", "skills_read",
     "constraints_reach", "x"]
)  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers(-1, 3) | st.floats() | st.sampled_from(["", "a.b", "edit", "calls > 0"])
)
ANY = st.recursive(
    LEAVES, lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=5), max_leaves=25
)
CASES = st.lists(st.fixed_dictionaries({"name": st.text(max_size=2), "input": ANY, "expect": ANY}), max_size=2)


def attempt(content: Any) -> Any:
    """The suite, or what is wrong with it."""
    try:
        return read(Path("f.json"), orjson.dumps(content).decode())
    except SuiteError as error:
        return error


@given(ANY | CASES.map(lambda cases: {"cases": cases}))
def test_no_content_breaks_the_reader(content: Any) -> None:
    """It is a suite, or has mistakes, each with a line."""
    suite = attempt(content)
    if isinstance(suite, SuiteError):
        assert all(m.line > 0 and m.message for m in suite.mistakes)
    else:
        assert suite.cases
        assert all(len(c.expect) > 1 for c in suite.cases)
