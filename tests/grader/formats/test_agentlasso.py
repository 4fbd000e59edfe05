"""Files of AgentLasso check lists. What the checks mean is tested in `tests/grader/rules/test_s0_*.py`."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.formats.agentlasso import FORMAT
from grader.suites import read_suites
from grader.syntax.mistakes import SuiteError
from tests.grader.rules.vocabularies import VOCABULARIES, grade
from tests.grader.trees import candidate, job

SUITES = VOCABULARIES / "agentlasso" / "suites"
CHECK = {"type": "tool_called", "tool": "f"}


def read(content: Any, name: str = "file.json") -> Any:
    return FORMAT.read(Path(name), orjson.dumps(content).decode())


def test_the_example_of_the_source_on_a_good_and_a_bad_run() -> None:
    """Every check of it holds on one and fails on the other, but for the judge's, which is not graded."""
    (suite,) = read_suites([SUITES / "refund.json"])
    asked = "Refund order A-1234, it arrived broken"
    good = job("orders.lookup", "stripe.refund", input=asked, reply='{"text": "3-5 business days"}')
    bad = job("orders.lookup", input=asked, reply="Paid to 4111 1111 1111 1111.")
    found = [s.results for s in grade(suite, candidate(good), candidate(bad, id="run-2")).samples]
    assert [[r.outcome for r in results] for results in found] == [
        ["pass"] * 5 + ["not_graded"], ["fail"] * 5 + ["not_graded"],
    ]  # fmt: skip
    assert [r.check for r in found[0]] == ["c1", "c2", "c3", "c4", "c5", "c6"]


def test_a_stored_list_alone_is_a_policy_named_after_its_file() -> None:
    """It has no request, so every selected run is judged, and a notice says so."""
    (suite,) = read_suites([SUITES / "stored.json"])
    assert ([c.name for c in suite.cases], suite.cases[0].policy) == (["stored"], True)
    assert suite.cases[0].notices == ("has no request: every selected run is judged",)
    decision = grade(suite, candidate(job()), candidate(job("stripe.refund"), id="run-2")).decision
    assert decision.verdict == "failed"


def test_a_named_case_without_a_request_takes_only_runs_of_its_name() -> None:
    """Nothing is guessed."""
    suite = read({"name": "n", "checks_version": 1, "checks": [CHECK]})
    runs = [candidate(job("f"), id="r1"), candidate(job("f"), id="r2", case_name="n")]
    assert [s.run.run_id for s in grade(suite, *runs).samples] == ["r2"]


def test_a_list_of_cases_and_a_file_of_cases() -> None:
    """Each keeps its line, its names and its notices."""
    older, several = read_suites([SUITES / "older.yaml", SUITES / "several.json"])
    assert [(c.name, c.line, len(c.expect)) for c in older.cases] == [("refund", 2, 4), ("small talk", 8, 1)]
    assert (several.name, several.notices) == ("support", ("not read: 'project'",))
    assert [(c.name, c.aliases) for c in several.cases] == [("refund", ("17",)), ("nothing asked", ())]
    assert several.cases[0].notices == ("guardrails not read: `checks` stands in their place",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([{"request": "x", "checks": []}], "[0]: has neither `id` nor `name`"),
        ([5, {"name": "a", "request": "x"}], "[0]: must be a mapping"),
        ({"cases": []}, "cases: must have at least 1 entry"),
        ({"cases": {}}, "cases: must be a list"),
        ({"checks_version": 2, "cases": [{"name": "a", "request": "x"}]}, "checks_version: version 2 is not known"),
        (
            [{"name": "a", "request": "x"}, {"id": "a", "request": "y"}],
            "[1]: a case called 'a' stands on line 1 already",
        ),
        ({"name": "a", "request": ""}, "request: must be a text or a JSON value"),
        ({"request": "x", "checks": [5]}, "checks[0]: must be a mapping"),
        ({"request": "x", "checks": {}}, "checks: must be a list, is a mapping"),
    ],
)
def test_a_file_with_mistakes_is_refused(content: Any, message: str) -> None:
    """With the place and what is expected."""
    with pytest.raises(SuiteError) as raised:
        read(content)
    assert message in str(raised.value)


def test_an_unknown_key_of_a_case_is_a_notice_with_the_nearest_name() -> None:
    """It is the live runner's business, unless it is a slip."""
    (case,) = read({"request": "x", "chekcs": [], "owner": "me"}).cases
    assert case.notices == ("not read: 'chekcs' (did you mean 'checks'?), 'owner'",)


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ({"checks_version": 1, "checks": []}, True),
        ({"request": "x", "rubric": "y"}, True),
        ([{"request": "x"}], True),
        ({"cases": [{"request": "x"}]}, True),
        ({"request": "x"}, False),
        ({"cases": [{"name": "x", "input": "y", "expect": {}}]}, False),
        ({"tracegrade": 1, "cases": [{"request": "x"}]}, False),
        ({"suite": "s", "cases": [{"request": "x", "expect": []}]}, False),
        ({"scenarios": [], "assertions": []}, False),
        ({"tests": [{"expected_tool_calls": []}]}, False),
        ([], False),
        (5, False),
    ],
)
def test_what_is_recognised(content: Any, known: bool) -> None:
    """By content alone; a case of another format is none of ours."""
    assert FORMAT.recognises(orjson.dumps(content).decode()) is known


KEYS = st.sampled_from(["cases", "name", "id", "request", "checks_version", "checks", "type", "tool", "tools", "value", "regex",
                        "criterion", "severity", "expected_tool_calls", "guardrails", "rubric", "x"])  # fmt: skip
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-1, 2)
    | st.sampled_from(["", "tool_called", "output_contains", "(", "minor"])
)
ANY = st.recursive(
    LEAVES, lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=5), max_leaves=25
)


def attempt(content: Any) -> Any:
    """The suite, or what is wrong with it."""
    try:
        return read(content)
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
