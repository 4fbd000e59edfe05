"""Which runs answer which case: never a guess."""

import dataclasses
from typing import Any

import pytest

from grader.select import Asked, Finder, has_attributes, quiet_at, texts_of
from tests.grader.suites import suite
from tests.grader.trees import SECOND, candidate, job

CASES = """
  - {name: refund, request: "Refund order A-1234"}
  - {name: greet, request: hello, match: contains}
  - {name: named only, match: name}
  - {name: twice a, request: same}
  - {name: twice b, request: " same "}
"""


def found(given: Any = "hello", **more: Any) -> list[str]:
    cases = suite(CASES).cases
    return [c.name for c in Finder("s", cases).find(candidate(job(input=given), **more))]


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("Refund order A-1234", ["refund"]),
        ("  Refund order A-1234\n", ["refund"]),
        ("refund order A-1234", []),
        ("Refund order A-12345", []),
        ("well, hello there", ["greet"]),
        ("same", ["twice a", "twice b"]),
        ({"text": "Refund order A-1234", "lang": "en"}, ["refund"]),
        (None, []),
        (42, []),
    ],
)
def test_the_input_decides(given: Any, names: Any) -> None:
    """Exact but for white space around; `contains` where the case says so; several are all told."""
    assert found(given) == names


def test_the_case_name_on_the_run_decides_before_the_input() -> None:
    """A run that names a case answers that one, or none at all."""
    assert found("Refund order A-1234", case_name="greet") == ["greet"]
    assert found("Refund order A-1234", case_name="of another suite") == []
    assert found("x", case_name="named only") == ["named only"]
    assert found("x", case_name="greet", suite_name="s") == ["greet"]
    assert found("x", case_name="greet", suite_name="other") == []


def test_of_messages_only_the_last_by_the_user_counts() -> None:
    """Earlier ones are history that other runs were asked."""
    history = [
        {"role": "system", "content": "same"},
        {"role": "user", "content": "same"},
        {"role": "assistant", "content": "same"},
        {"role": "user", "parts": [{"type": "text", "content": "Refund order A-1234"}]},
    ]
    assert texts_of(history) == ["Refund order A-1234"]
    assert found(history) == ["refund"]
    assert texts_of([" a ", "b"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"order": "A-1", "amount": 50}, ["payload"]),
        ('{"amount": 50.0, "order": "A-1"}', ["payload"]),
        ([{"role": "user", "content": '{"amount": 50, "order": "A-1"}'}], ["payload"]),
        ({"order": "A-1", "amount": 50, "more": 1}, []),
        ({"order": "A-1", "amount": True}, []),
        ("A-1", []),
    ],
)
def test_a_request_that_is_a_value_equals_the_input_as_a_value(given: Any, names: Any) -> None:
    """Written as JSON or recorded as an object, numbers by value; nothing more and nothing less."""
    case = dataclasses.replace(suite(CASES).cases[0], name="payload", request={"order": "A-1", "amount": 50})
    assert [c.name for c in Finder("s", [case]).find(candidate(job(input=given)))] == names


def test_the_nearest_inputs_are_told() -> None:
    """For cases matched by name: the nearest names."""
    inputs = Asked()
    inputs.add(candidate(job(input="Refund order A-1235"), case_name="name only"))
    inputs.add(candidate(job(input="What is the weather?"), id="weather"))
    cases = {c.name: c for c in suite(CASES).cases}
    assert inputs.nearest(cases["refund"]) == ["Refund order A-1235"]
    assert inputs.nearest(cases["named only"]) == ["name only"]
    assert inputs.whose(["What is the weather?"]) == {"weather"}


def test_when_a_run_will_be_quiet() -> None:
    """A root that has not ended never is; else the newest evidence and the quiet period decide."""
    done = candidate()
    done.last_arrival = 100 * SECOND
    assert quiet_at(done, 10) == 110 * SECOND
    assert quiet_at(candidate(open=True), 10) is None
    assert quiet_at(candidate(), 10) == 10 * SECOND


def test_attributes_compare_by_value() -> None:
    """A missing one is not null."""
    one = candidate(attributes={"tenant": "a", "n": 1})
    assert has_attributes(one, {"tenant": "a", "n": 1.0})
    assert not has_attributes(one, {"n": True})
    assert not has_attributes(one, {"missing": None})


def test_a_run_may_call_a_case_by_another_name() -> None:
    """An alias is as good as the name, unless another case has it as its name."""
    one, other = (dataclasses.replace(c, aliases=("x", "greet")) for c in suite(CASES).cases[:2])
    finder = Finder("s", [one, other])
    assert [c.name for c in finder.find(candidate(case_name="greet"))] == ["greet"]
    assert [c.name for c in Finder("s", [one]).find(candidate(case_name="x"))] == ["refund"]
