"""S3, Connic tests: what a file may hold, which runs answer a test, and what only a live runner can do."""

from pathlib import Path
from typing import Any

import pytest

from grader.formats import connic
from grader.grading import grade_suite
from tests.grader.rules.connic_runs import judged, outcomes, recorded, refused, suite

PAYLOADS: list[tuple[Any, Any, bool]] = [
    ("hallo", "hallo", True),
    ("hallo", {"message": "hallo"}, True),
    ("hallo", "Hallo", False),
    ('{"a": 4, "b": 6}', '{"a": 4, "b": 6}', True),
    ('{"a": 4, "b": 6}', '{"b":6,"a":4}', True),
    ('{"a": 4, "b": 6}', {"a": 4, "b": 6}, True),
    ('{"a": 4, "b": 6}', {"a": 4, "b": 7}, False),
    ({"a": 4}, '{"a": 4}', True),
    ({"a": 4}, {"a": 4.0}, True),
    ("42", "42", True),
    ("null", "null", True),
    ('"quoted"', '"quoted"', True),
]


@pytest.mark.parametrize(("payload", "asked", "same"), PAYLOADS)
def test_S3_22_a_payload_is_the_runs_input(payload: Any, asked: Any, same: bool) -> None:
    """As a text, as what it says where it is JSON, or as a message."""
    grading = grade_suite(suite({"payload": payload}), [recorded({"input": asked})], id="g", now=0)
    assert bool(grading.samples) is same


def test_S3_22_a_builders_test_is_found_by_its_name() -> None:
    """What the builder made is not in the file; a fixture is read from the run."""
    made = suite({"payload": None, "builder": "b", "expected_result": "output.id == context.test_uuid"})
    runs = [
        recorded({"reply": '{"id": "u1"}', "context": {"test_uuid": "u1"}}, id="r1", case_name="t"),
        recorded({"reply": '{"id": "u1"}', "context": {"test_uuid": "u2"}}, id="r2", case_name="t"),
        recorded({"reply": '{"id": "u1"}', "context": {"test_uuid": "u1"}}, id="r3", case_name="other"),
        recorded({"reply": '{"id": "u1"}', "context": {"test_uuid": "u1"}}, id="r4"),
    ]
    grading = grade_suite(made, runs, id="g", now=0)
    assert [(s.run.run_id, s.outcome) for s in grading.samples] == [("r1", "pass"), ("r2", "fail")]


@pytest.mark.parametrize(("default", "own", "strict"), [(True, None, True), (True, False, False), (None, True, True)])
def test_S3_42_a_test_overrides_the_defaults(default: Any, own: Any, strict: bool) -> None:
    """Strictness is the test's own where it says so."""
    test = {} if own is None else {"strict_approval_decisions": own}
    defaults = {} if default is None else {"strict_approval_decisions": default}
    found = judged(test, {"approvals": [["b.refund", "approve"]]}, defaults=defaults)
    assert (found.outcome == "fail") is strict


def test_S3_44_starting_values() -> None:
    """One run that passes; the agent is what the file is called."""
    made = connic.read(Path("tests/refunder.yaml"), "tests: [{name: a, payload: x}]")
    assert (made.name, made.select.agent, made.format) == ("refunder", "refunder", "connic")
    assert "'refunder', as the file is called" in made.notices[0]
    (runs,) = made.gate.cases  # ty: ignore
    assert (runs.case, runs.number, runs.least.text) == ("a", 1, "100%")
    assert suite(agent="billing").select.agent == "billing"


def test_S3_44_a_test_overrides_the_defaults() -> None:
    """Runs and threshold of its own."""
    tests = [{"name": "a", "payload": "x"}, {"name": "b", "payload": "y", "runs": 5, "success_threshold": 60}]
    made = suite(tests=tests, defaults={"runs": 3, "success_threshold": 66.5})
    assert [(r.number, r.least.text) for r in made.gate.cases] == [(3, "66.5%"), (5, "60%")]  # ty: ignore


@pytest.mark.parametrize(
    ("test", "says"),
    [
        ({"runs": 0}, "must be 1 to 100"),
        ({"runs": 101}, "must be 1 to 100"),
        ({"runs": 1.5}, "must be a whole number"),
        ({"success_threshold": 0}, "must be 1 to 100"),
        ({"success_threshold": 101}, "must be 1 to 100"),
        ({"timeout_s": 0}, "must be 1 to 3600"),
        ({"timeout_s": 3601}, "must be 1 to 3600"),
        ({"strict_mocks": "yes"}, "must be true or false"),
    ],
)
def test_S3_44_ranges(test: dict[str, Any], says: str) -> None:
    """In a test and in the defaults."""
    assert says in refused(test)
    assert says in refused(defaults=test)


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ({"version": "2.0"}, "must be '1.0'"),
        ({"version": 2}, "must be '1.0'"),
        ({"tests": []}, "must have at least 1 entry"),
        ({"tests": [{"payload": "x"}]}, "tests[0].name: is missing"),
        ({"tests": [{"name": "", "payload": "x"}]}, "must be a text, is empty"),
        ({"tests": [{"name": "n" * 121, "payload": "x"}]}, "allowed are 120"),
        ({"tests": [{"name": "a"}]}, "there is no builder"),
        ({"tests": [{"name": "a", "payload": "x"}] * 2}, "stands on line"),
        (
            {"tests": [{"name": "a", "payload": "x", "expected_tool_cals": ["f"]}]},
            "did you mean 'expected_tool_calls'?",
        ),
        ({"defaults": {"success_treshold": 50}}, "did you mean 'success_threshold'?"),
    ],
)
def test_S3_44_a_file_that_is_none_is_refused(file: dict[str, Any], says: str) -> None:
    """All mistakes are found when it is read; a mistyped assertion is never left out in silence."""
    assert says in refused(**file)


def test_S3_44_all_mistakes_at_once() -> None:
    """Of all tests, in the order of the file."""
    tests = [{"name": "a", "payload": "x", "expected_result": "outpt.id"}, {"name": "b", "runs": 0}]
    told = refused(tests=tests).split("support.yaml:")
    assert ["tests[0].expected_result" in told[1], "tests[1].payload" in told[2], "tests[1].runs" in told[3]] == [
        True
    ] * 3


def test_S3_44_names_have_120_characters_and_a_version_may_be_a_number() -> None:
    """The longest name, and what YAML makes of 1.0 without quotes."""
    assert suite({"name": "n" * 120}, version=1.0).cases[0].name == "n" * 120


def test_S3_47_a_builder_is_told_and_not_run() -> None:
    """So is what it cleans up; nothing of it counts as checked."""
    made = suite({"builder": "b", "builder_args": {"n": 1}})
    (notice,) = made.cases[0].notices
    assert notice.startswith("not applicable after the fact: builder, builder_args; what the builder made comes from")
    assert outcomes({"builder": "b"}, {}) == ["pass"]


CONTROLS = {
    "mocks": {"f": 1},
    "files": ["a.txt"],
    "timeout_s": 5,
    "strict_mocks": True,
    "strict_hook_mocks": True,
    "strict_middleware_mocks": True,
    "strict_guardrail_mocks": False,
}


@pytest.mark.parametrize("key", CONTROLS)
def test_S3_48_run_controls_are_accepted_and_told(key: str) -> None:
    """In a test and in the defaults; they change no verdict."""
    test = {key: CONTROLS[key]}
    assert suite(test).cases[0].notices == (f"not applicable after the fact: {key}",)
    assert outcomes(test, {}) == ["pass"]
    if key != "files":
        assert suite(defaults=test).notices == (f"not applicable after the fact: defaults.{key}",)
