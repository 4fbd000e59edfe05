"""Expectations about how a job ends and what it answers: S4-1 to S4-6, S4-28."""

from typing import Any

import pytest

from tests.grader.rules.evals import evals, judged, outcome, refused
from tests.grader.trees import captured, child, job, model_call


def test_S4_01_every_expectation_must_hold() -> None:
    """One that does not hold fails the case, wherever it stands among the others."""
    both = {"contains": ["done"], "max_seconds": 60}
    assert outcome(both) == "pass"
    assert outcome(both | {"contains": ["done", "sent"]}) == "fail"
    assert outcome(both | {"max_seconds": 1}) == "fail"


@pytest.mark.parametrize("expect", [{}, {"contains": ["done"]}, {"status": "completed"}])
def test_S4_02_completed_is_the_default(expect: dict[str, Any]) -> None:
    """A failed job fails a case that says nothing of its status."""
    assert outcome(expect) == "pass"
    assert outcome(expect, job(status="failed", error="no")) == "fail"


@pytest.mark.parametrize(
    ("status", "expected"),
    [("failed", "pass"), ("completed", "fail"), ("cancelled", "fail"), ("awaiting_approval", "fail")],
)
def test_S4_02_a_job_may_have_to_fail(status: Any, expected: str) -> None:
    """Then only a failed one passes."""
    assert outcome({"status": "failed"}, job(status=status)) == expected


@pytest.mark.parametrize("status", ["running", "unknown"])
def test_S4_02_an_end_that_was_not_seen_fails(status: Any) -> None:
    """Missing evidence is no pass, whatever is wanted."""
    assert outcome({}, job(status=status)) == "fail"
    assert outcome({"status": "failed"}, job(status=status)) == "fail"


def test_S4_02_other_endings_are_refused() -> None:
    """With what may be written."""
    assert "must be one of completed, failed; is 'complete'; did you mean 'completed'?" in refused(
        {"status": "complete"}
    )


@pytest.mark.parametrize(
    ("error", "expected"),
    [("no such order: B-0", "pass"), ("No such order", "fail"), ("timeout", "fail"), (None, "fail")],
)
def test_S4_03_the_error_has_that_text(error: str | None, expected: str) -> None:
    """Case-sensitive; an error that was not captured is not known to have it."""
    assert (
        outcome({"status": "failed", "error_contains": "no such order"}, job(status="failed", error=error)) == expected
    )


@pytest.mark.parametrize("more", [{}, {"status": "completed"}])
def test_S4_03_an_errors_text_needs_a_failed_status(more: dict[str, Any]) -> None:
    """A job that completes has no error."""
    assert "expect.error_contains: goes with `status: failed`" in refused({"error_contains": "x"} | more)


STRUCTURE = {"amount": 50, "to": ["Zoë"]}
ANSWERS: list[tuple[Any, str, bool]] = [
    ("refunded 50", "refunded", True),
    ("refunded 50", "Refunded", False),
    (STRUCTURE, '"amount":50', True),
    (STRUCTURE, '"amount": 50', True),
    (STRUCTURE, '["Zoë"]', True),
    (STRUCTURE, "\\u00eb", False),
    ('{"amount":50}', '"amount": 50', True),
    ('{"amount" : 50}', '"amount":50', True),
    ('{"amount" : 50}', '"amount" : 50', True),
    (42, "42", True),
    (True, "true", True),
    ("", "x", False),
    (None, "null", False),
]


@pytest.mark.parametrize(("reply", "phrase", "there"), ANSWERS)
def test_S4_04_contains_and_not_contains(reply: Any, phrase: str, there: bool) -> None:
    """In the text, or in the JSON of a structure, compact or with spaces; one is the other's opposite."""
    assert outcome({"contains": [phrase]}, job(reply=reply)) == ("pass" if there else "fail")
    assert outcome({"not_contains": [phrase]}, job(reply=reply)) == ("fail" if there else "pass")


def test_S4_04_each_of_these_and_none_of_those() -> None:
    """A list or one text."""
    assert outcome({"contains": "done"}) == "pass"
    assert outcome({"contains": ["done", "sent"]}) == "fail"
    assert outcome({"not_contains": ["sent", "done"]}) == "fail"


@pytest.mark.parametrize("key", ["contains", "not_contains", "equals"])
def test_S4_04_an_answer_that_was_not_captured_fails(key: str) -> None:
    """The forbidden text may have been in it."""
    found = judged({key: "x"}, job(reply=None, capture=captured(reply="absent")))
    assert found.outcome == "fail"
    assert "the reply" in found.reason
    assert "not captured" in found.reason


def test_S4_04_a_cut_answer_decides_what_it_shows() -> None:
    """What is there is there, allowed or not."""
    cut = job(reply="refunded fif", capture=captured(reply="partial"))
    assert outcome({"contains": "refunded"}, cut) == "pass"
    assert outcome({"not_contains": "refunded"}, cut) == "fail"
    assert outcome({"contains": "fifty"}, cut) == "fail"
    assert outcome({"not_contains": "fifty"}, cut) == "fail"


EQUAL: list[tuple[Any, Any, bool]] = [
    ("done", "done", True),
    ("done", "Done", False),
    ("done ", "done", False),
    ("42", 42, False),
    (42, "42", False),
    (42, 42.0, True),
    (1, True, False),
    (True, True, True),
    (None, None, True),
    ({"a": [1, 2]}, {"a": [1, 2]}, True),
    ({"a": [1, 2]}, {"a": [2, 1]}, False),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ({"a": 1, "b": 2}, {"a": 1}, False),
    ({"a": True}, {"a": 1}, False),
    ('{"a": 1}', {"a": 1}, True),
    ('{"a": 1}', '{"a": 1}', True),
    ('{"a": 1}', '{"a":1}', False),
    ({"a": 1}, '{"a":1}', False),
    ("[1, 2]", [1, 2], True),
]


@pytest.mark.parametrize(("reply", "wanted", "same"), EQUAL)
def test_S4_05_equals_exactly_this_value(reply: Any, wanted: Any, same: bool) -> None:
    """A text is no number, a boolean is none either; a text that is a JSON object or list is that structure."""
    assert outcome({"equals": wanted}, job(reply=reply)) == ("pass" if same else "fail")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("output.amount == 50.0", "pass"),
        ("output.amount > 50", "fail"),
        ("has(output.to) && calls == 2", "pass"),
        ("calls == 3", "fail"),
        ("cost_usd < 0.035 && cost_usd > 0.025", "pass"),
        ("seconds == 30.0", "pass"),
        ("size(tool_calls) == 0 && size(skills_read) == 0", "pass"),
    ],
)
def test_S4_06_cel_sees_these(source: str, expected: str) -> None:
    """`calls` are the case's job's own model calls; the cost is that of the whole tree."""
    below = [child("helper", model_calls=[model_call()])]
    root = job(reply='{"amount": 50}' if "to" not in source else STRUCTURE, model_calls=[model_call()] * 2, jobs=below)
    assert outcome({"cel": source}, root) == expected


@pytest.mark.parametrize(("reply", "source"), [("done", "output == 'done'"), ("42", "output == '42'")])
def test_S4_06_a_text_is_a_text_in_cel(reply: str, source: str) -> None:
    """Even where it looks like a number."""
    assert outcome({"cel": source}, job(reply=reply)) == "pass"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("output.amount = 50", "no viable alternative|mismatched|Syntax error|extraneous|token recognition"),
        ("outputt.amount == 50", "unknown name 'outputt'; did you mean 'output'?"),
        ("input == 'x'", "unknown name 'input'"),
        ("calls", "it gives int; a condition gives true or false"),
    ],
)
def test_S4_06_what_cannot_be_compiled_is_a_mistake(source: str, told: str) -> None:
    """With a caret under the place."""
    found = refused({"cel": source})
    assert any(one in found for one in told.split("|"))
    assert found.rstrip().endswith("^")


@pytest.mark.parametrize(
    ("source", "why"),
    [("output.missing == 1", "could not be evaluated"), ("output.amount", "neither true nor false")],
)
def test_S4_06_what_cannot_be_evaluated_fails_the_case(source: str, why: str) -> None:
    """With the reason."""
    found = judged({"cel": source}, job(reply={"amount": 50}))
    assert found.outcome == "fail"
    assert why in found.reason


def test_S4_28_without_expectations_a_job_must_complete() -> None:
    """`expect` may be empty or missing."""
    suite = evals({}, case={"expect": None})
    assert [c.label for c in suite.cases[0].expect] == ["status completed (implied)", "approvals answered (implied)"]
    assert [c.label for c in evals({}).cases[0].expect] == [c.label for c in suite.cases[0].expect]
    assert outcome({}) == "pass"
    assert outcome({}, job(status="failed")) == "fail"
