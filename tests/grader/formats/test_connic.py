"""Connic test files: how one is known, its examples, and recorded runs. The rules are tested in `tests/grader/rules`."""

from typing import Any

import pyarrow as pa
import pytest
from ruamel.yaml import YAML

from collector import normalize
from collector.decode import traces_protobuf
from collector.decode.columns import LOGS, SPANS
from grader.case import Suite
from grader.formats import connic
from grader.grading import grade_suite
from grader.sample import Candidate, judge
from grader.suites import read_suites
from tests.captures import NAMES, load
from tests.grader.rules.connic_runs import EXAMPLES, recorded, suite
from tests.grader.spans import Trace
from tests.grader.suites import DATA

FILES = sorted((EXAMPLES / "suites").iterdir())
RUNS: dict[str, dict[str, Any]] = YAML(typ="safe").load((EXAMPLES / "runs.yaml").read_text(encoding="utf-8"))
EXAMPLE_RUNS = [
    pytest.param(name, test, outcome, run, id=f"{test}-{outcome}")
    for name, tests in RUNS.items()
    for test, runs in tests.items()
    for outcome, run in runs.items()
]
REFUNDS = [name for name in NAMES if name.endswith("__refund")]


def example(name: str) -> Suite:
    """A file of the examples, whose format is told by its content."""
    (found,) = read_suites([EXAMPLES / "suites" / name])
    return found


def test_each_example_has_a_run_that_passes_and_one_that_fails() -> None:
    """For every test of every file."""
    found = {(path.name, case.name) for path in FILES for case in example(path.name).cases}
    assert found == {(name, test) for name, tests in RUNS.items() for test in tests}
    assert all(set(runs) == {"pass", "fail"} for tests in RUNS.values() for runs in tests.values())


@pytest.mark.parametrize(("name", "test", "outcome", "run"), EXAMPLE_RUNS)
def test_examples(name: str, test: str, outcome: str, run: dict[str, Any]) -> None:
    """They are read unmodified and graded."""
    grading = grade_suite(example(name), [recorded(run, case_name=test)], id="g", now=0)
    (sample,) = grading.samples
    assert (sample.case, sample.outcome) == (test, outcome), [r.sentence for r in sample.results]


@pytest.mark.parametrize(("test", "outcome"), [(t, o) for t in RUNS["results.yaml"] for o in ("pass", "fail")])
def test_the_runs_of_an_example_are_found_by_their_payload(test: str, outcome: str) -> None:
    """Without a test's name on the run."""
    grading = grade_suite(example("results.yaml"), [recorded(RUNS["results.yaml"][test][outcome])], id="g", now=0)
    assert [(s.case, s.outcome) for s in grading.samples] == [(test, outcome)]


def test_thresholds_and_notices_of_an_example() -> None:
    """The defaults, a test's own, and what only a live runner does."""
    made = example("approvals.yaml")
    assert [(r.number, r.least.text) for r in made.gate.cases] == [(3, "66%"), (1, "100%"), (3, "66%")]  # ty: ignore
    assert made.notices == ("not applicable after the fact: defaults.timeout_s",)
    assert made.cases[1].notices[0].startswith("not applicable after the fact: builder, mocks, strict_mocks; ")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("tests: [{name: a, payload: x}]", True),
        ("tests: [{name: a, builder: x}]", True),
        ('{"tests": [{"payload": {}}]}', True),
        ("tests: [{name: a}]", False),
        ("tests: {a: {payload: x}}", False),
        ("tracegrade: 1\ntests: [{name: a, payload: x}]", False),
        ("cases: []\ntests: [{name: a, payload: x}]", False),
        ("tests: [", False),
        ("", False),
    ],
)
def test_a_file_is_known_by_its_tests(text: str, known: bool) -> None:
    """Each of which has a payload or a builder."""
    assert connic.FORMAT.recognises(text) is known


def test_no_other_file_is_taken_for_one() -> None:
    """Native suites are not."""
    assert not any(connic.FORMAT.recognises(path.read_text(encoding="utf-8")) for path in DATA.glob("*.yaml"))


def test_unknown_keys_at_the_top_are_the_runners() -> None:
    """They are told and not read."""
    assert suite(project="x").notices == ("not read: 'project'",)


def test_the_order_of_keys_makes_no_difference() -> None:
    """Neither to the definition nor to its hash; what is asked does."""
    test = {"expected_result": "output == 1", "expected_tool_calls": ["f"], "runs": 2}
    assert suite(test).hash == suite(dict(reversed(test.items()))).hash
    assert len({suite(test | change).hash for change in ({}, {"runs": 3}, {"expected_result": "output == 2"})}) == 3


@pytest.mark.parametrize("name", REFUNDS)
def test_no_recorded_run_passes_for_want_of_evidence(name: str) -> None:
    """A tool that was called is never told as not called; one that was not is told so only where that was captured."""
    capture = load(name)
    called = {call["name"] for call in capture.truth["tool_calls"]}
    for run in capture.trees():
        known = all(run.root.capture[kind].state == "present" for kind in ("tools", "requests"))
        for tool in called | {"erase_everything"}:
            test = {"expected_tool_calls": [tool, {tool: "invocations == 0"}], "expected_no_tool_calls": [tool]}
            sample = judge(suite(test).cases[0], Candidate(run, run.digest))
            seen = any(tool in (c.name, c.qualified) for c in run.root.tool_calls)
            none = "pass" if known and not any(tool in c.name for c in run.root.tool_calls) else "fail"
            assert [r.outcome for r in sample.results[1:]] == [
                "pass" if seen else sample.results[1].outcome,
                none,
                none,
            ]


@pytest.mark.parametrize("decision", ["approve", "reject", "timeout"])
def test_an_approval_that_a_framework_recorded_is_replayed(decision: str) -> None:
    """Its tool and its decision, from the framework's own spans; these were all approved."""
    runs = [run for name in NAMES if name.endswith("__approval") for run in load(name).trees() if run.root.approvals]
    assert runs
    for run in runs:
        test = {"approval_decisions": [{"tool": "issue_refund", "decision": decision}]}
        sample = judge(suite(test).cases[0], Candidate(run, run.digest))
        assert sample.results[-1].outcome == ("pass" if decision == "approve" else "fail")


def test_agents_that_frameworks_triggered() -> None:
    """Of each recorded delegation the children that its spans name are found, and no others."""
    found = 0
    for name in NAMES:
        for run in load(name).trees() if name.endswith("__delegate") else ():
            for agent in {job.agent for job in run.root.jobs if job.agent}:
                sample = judge(
                    suite({"expected_child_agents": {agent: {}, "nobody": {}}}).cases[0], Candidate(run, run.digest)
                )
                assert [r.outcome for r in sample.results[1:]] in (["pass", "fail"], ["fail", "fail"])
                found += sample.results[1].outcome == "pass"
    assert found


def traced(arguments: dict[str, Any], *, seen: bool = True, tool: str = "trigger_agent") -> Candidate:
    """An agent whose tool triggers `s` with {"a": 1}, from spans; `seen`: with the triggered agent's own below the call."""
    trace = Trace(7)
    trace.agent(1, "support")
    answered = {"run_id": "r", "status": "completed", "response": {"x": 1}, "error": None}
    trace.tool(2, 1, tool, {"agent_name": "s", "payload": {"a": 1}} | arguments, answered)
    if seen:
        trace.agent(3, "s", parent=2, at=1, seconds=0.9, reply='{"x": 1}')
        trace.tool(4, 3, "f", {"id": 1}, "ok", at=1.2)
    columns = traces_protobuf(trace.body()).columns
    spans = pa.table({name: columns[name] for name in SPANS}, schema=pa.schema(list(SPANS.items())))
    (run,) = normalize.trees(spans, pa.schema(list(LOGS.items())).empty_table())
    return Candidate(run, run.digest)


WAITED = {"wait_for_response": True}
FORGOTTEN = {"wait_for_response": False}


@pytest.mark.parametrize(
    ("child", "met"),
    [
        ({"expected_payload": "payload.a == 1"}, "every waited forgotten unseen scheduled"),
        ({"expected_payload": "payload.a == 2"}, ""),
        ({"expected_result": "output.x == 1"}, "every waited unseen"),
        ({"expected_tool_calls": [{"f": "params.id == 1"}]}, "every waited"),
        ({"expected_no_tool_calls": ["g"]}, "every waited"),
        ({"expected_triggered": 2}, ""),
    ],
)
def test_a_trigger_in_spans(child: dict[str, Any], met: str) -> None:
    """Its agent, payload and mode from the call's arguments; what it did from the job's own spans."""
    runs = {
        "every": traced({}),
        "waited": traced(WAITED),
        "forgotten": traced(FORGOTTEN),
        "unseen": traced(WAITED, seen=False),
        "scheduled": traced({"at": "t"}, seen=False, tool="trigger_agent_at"),
    }
    case = suite({"expected_child_agents": {"s": child}}).cases[0]
    assert {name for name, run in runs.items() if judge(case, run).outcome == "pass"} == set(met.split())
