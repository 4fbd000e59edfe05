"""Rules S2-54 to S2-58: own checks, the gate, short circuits, the file and its datasets."""

from typing import Any

import pytest

from grader.formats.evalstone import FORMAT
from grader.part import Judge, Terms
from tests.grader.evalstone_files import config, grade, mistakes, read, run
from tests.grader.trees import model_call

TWO = {"a": {"type": "exact", "expected": "done"}, "b": {"type": "contains", "needles": ["do", "ne", "x", "y"]}}
"""On the reply `done`: a passes with 1, b fails with 0.5."""


def gate(gate: Any, checks: Any = TWO, runs: Any = None, **suite: Any) -> Any:
    """The decision of a gate over one run that replied `done`."""
    suites = {"main": {"dataset": "d", "checks": list(checks), "gate": gate} | suite}
    (made,) = read(config(checks=checks, suites=suites))
    return grade(made, *([run()] if runs is None else runs)).decision


def test_S2_54_a_check_that_only_a_module_could_define_is_a_mistake_that_names_imports() -> None:
    """The file's author could run any code, so a module is not imported; a known key beside it is sound."""
    suites = {"main": {"dataset": "d", "checks": ["c", "no_apology"]}}
    (found,) = mistakes(config(imports=["mychecks"], suites=suites))
    assert found.startswith("evalstone.yaml: suites.main.checks[1]: no check is called 'no_apology'")
    assert found.endswith(
        "should a module of `imports:` (mychecks) define it: a module is imported only with --allow-code, since its author can "
        "run any code"
    )
    assert mistakes(config(imports="mychecks")) == []
    (without,) = mistakes(config(suites=suites))
    assert "imports" not in without


def test_S2_55_one_key_is_one_check() -> None:
    """Written twice in a file, or twice in a suite, it is a mistake and never the later one alone."""
    twice = "datasets: {d: d.jsonl}\nchecks:\n  c: {type: exact}\n  c: {type: length, max_chars: 1}\n"
    (found,) = mistakes(twice + "suites: {main: {dataset: d, checks: [c]}}\n")
    assert "the key 'c' stands here twice (first on line 3)" in found
    (again,) = mistakes(config(suites={"main": {"dataset": "d", "checks": ["c", "c"]}}))
    assert again == "evalstone.yaml: suites.main.checks[1]: 'c' stands here twice"


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        ({"min_pass_rate": 0.5}, "passed"),
        ({"min_pass_rate": 0.51}, "failed"),
        ({"min_mean_score": 0.75}, "passed"),
        ({"min_mean_score": 0.76}, "failed"),
        ({"min_mean_score": {"b": 0.5}}, "passed"),
        ({"min_mean_score": {"b": 0.51}}, "failed"),
        ({"max_regression": 0.1}, "passed"),
        ({"max_regression": 0.1, "require_baseline": True}, "not gateable"),
        ({"max_error_rate": 0}, "passed"),
        (None, "failed"),
    ],
)
def test_S2_56_what_a_gate_asks(asked: Any, verdict: str) -> None:
    """Rates are of scores, means of their values; equality reaches. Without a gate every score must pass."""
    assert gate(asked).verdict == verdict


def test_S2_56_keys_of_a_gate_are_strict() -> None:
    """Unknown ones and shares out of range are mistakes; a required baseline needs a regression to be compared."""

    def wrong(gate: Any) -> list[str]:
        return [
            m.split("gate.")[1] for m in mistakes(config(suites={"m": {"dataset": "d", "checks": ["c"], "gate": gate}}))
        ]

    assert wrong({"min_pas_rate": 1}) == ["min_pas_rate: unknown key 'min_pas_rate'; did you mean 'min_pass_rate'?"]
    assert wrong({"min_pass_rate": 95}) == ["min_pass_rate: must be 0 to 1, is 95"]
    assert wrong({"require_baseline": True}) == ["require_baseline: needs `max_regression`"]
    assert wrong({"min_mean_score": {"x": 1}}) == ["min_mean_score: the suite has no check 'x'"]


def test_S2_56_errors_have_a_budget_of_their_own_that_is_0_by_default() -> None:
    """Errors over all scores: one of two is half; they lower neither rate nor mean."""
    checks = {"a": TWO["a"], "e": {"type": "contains"}}
    for asked, verdict in (({"max_error_rate": 0.5}, "passed"), ({"max_error_rate": 0.49}, "failed"), ({}, "failed")):
        assert gate({"min_pass_rate": 1, "min_mean_score": 1} | asked, checks).verdict == verdict


def test_S2_56_nothing_scored_never_passes() -> None:
    """No run, no check, or errors alone, however many are allowed."""
    asked = {"max_error_rate": 1, "min_pass_rate": 0}
    assert gate(asked, runs=[]).verdict == "not gateable"
    assert gate(asked, checks={}).verdict == "not gateable"
    assert gate(asked, checks={"e": {"type": "contains"}}).verdict == "not gateable"


def test_S2_56_a_sample_without_a_run_has_an_error_for_each_check() -> None:
    """So what was never run trips the gate."""
    suites = {"main": {"dataset": "d", "checks": ["c"], "gate": {"min_pass_rate": 1}}}
    (suite,) = read(config(suites=suites), {"id": "s", "input": "hello"}, {"id": "t", "input": "other"})
    decision = grade(suite, run()).decision
    assert decision.verdict == "failed"
    assert "1 of 2 scores could not be made, 1 sample without a run" in decision.text


def test_S2_56_the_cost_of_the_runs_is_bounded() -> None:
    """A cost that was not captured is unknown and never 0."""
    calls = [model_call(cost_usd=0.02), model_call(cost_usd=0.03)]
    asked = {"min_pass_rate": 0.1}
    assert gate(asked | {"max_cost_usd": 0.05}, runs=[run(model_calls=calls)]).verdict == "passed"
    assert gate(asked | {"max_cost_usd": 0.04}, runs=[run(model_calls=calls)]).verdict == "failed"
    unknown = [run(model_calls=[model_call(cost_usd=None)])]
    assert gate(asked | {"max_cost_usd": 1}, runs=unknown).verdict == "not gateable"
    assert gate(asked, runs=unknown).verdict == "passed"


def test_S2_57_a_failed_contract_check_spares_the_judges_which_count_as_failed() -> None:
    """As failures with the value 0, not as errors; a contract check that is an error spares nothing."""
    judged = {
        "j": {"type": "judge", "rubric": "r"},
        "p": {"type": "comparison.pairwise", "rubric": "r", "baseline": {"s": "x"}},
    }

    def results(first: Any, *, short: bool) -> list[tuple[str, Any]]:
        checks = judged | {"c": first}
        suites = {"main": {"dataset": "d", "checks": ["j", "c", "p"], "short_circuit": short}}
        (suite,) = read(config(checks=checks, suites=suites))
        return [(r.outcome, r.value) for r in grade(suite, run()).samples[0].results]

    failing, passing, broken = {"type": "exact", "expected": "no"}, TWO["a"], {"type": "exact"}
    assert results(failing, short=True) == [("fail", 0.0), ("fail", 0.0), ("fail", 0.0)]
    assert results(failing, short=False) == [("error", None), ("fail", 0.0), ("error", None)]
    assert results(passing, short=True) == [("error", None), ("pass", 1.0), ("error", None)]
    assert results(broken, short=True) == [("error", None)] * 3


def test_S2_57_who_is_spared_asks_nobody() -> None:
    """No question is left for anybody to answer; where nothing failed, each has its own (a comparison one an order)."""
    checks = {
        "f": {"type": "rag.answer_relevance"},
        "j": {"type": "judge", "rubric": "r"},
        "p": {"type": "comparison.pairwise", "rubric": "r", "baseline": {"s": "x"}},
        "c": {"type": "exact", "expected": "done"},
    }
    suites = {"m": {"dataset": "d", "checks": list(checks), "short_circuit": True}}
    (suite,) = read(config(checks=checks, suites=suites), {"id": "s", "input": {"question": "q"}})

    def asked(reply: str) -> int:
        part = Judge(suite, Terms(now=0)).part([run(reply=reply, input={"question": "q"})])
        return sum(len(one.asked) for one in part.waiting)

    assert (asked("no"), asked("done")) == (0, 4)


def test_S2_57_people_are_no_judges() -> None:
    """A label costs nothing to look up, and a failed one is no broken contract."""
    checks = {"c": {"type": "exact", "expected": "no"}, "h": {"type": "human"}}
    (suite,) = read(config(checks=checks, suites={"m": {"dataset": "d", "checks": ["c", "h"], "short_circuit": True}}))
    assert [r.outcome for r in grade(suite, run()).samples[0].results] == ["fail", "error"]


def test_S2_58_a_file_is_recognised_and_its_suites_are_named_by_their_keys() -> None:
    """Each suite by itself, in the order of the file."""
    suites = {"one": {"dataset": "d", "checks": ["c"]}, "two": {"dataset": "d", "checks": []}}
    assert [(s.name, s.format, len(s.cases)) for s in read(config(suites=suites))] == [
        ("one", "evalstone", 1),
        ("two", "evalstone", 1),
    ]
    assert FORMAT.recognises("datasets: {d: d.jsonl}\nsuites: {}\n")
    assert not FORMAT.recognises("tracegrade: 1\nsuite: datasets of suites\n")


def test_S2_58_files_are_read_as_pyyaml_reads_them() -> None:
    """`no` is false and `on` is true there."""
    text = "datasets: {d: d.jsonl}\nchecks: {c: {type: safety.refusal, expected: no}}\n"
    (suite,) = read(text + "suites: {m: {dataset: d, checks: [c], short_circuit: on}}\n")
    assert grade(suite, run()).decision.verdict == "passed"


def test_S2_58_lines_of_a_dataset() -> None:
    """An id is a text or a number, else a hash of input and expected; duplicates and what is no sample are mistakes."""
    lines = ['{"input": "x", "expected": 1}', '{"input": "x", "expected": 2}', '{"id": 7, "input": null}', ""]
    (suite,) = read(config(), *lines)
    assert suite.cases[2].name == "7"
    assert suite.cases[0].name != suite.cases[1].name
    assert mistakes(config(), '{"id": 7, "input": 1}', '{"id": "7", "input": 2}') == [
        "d.jsonl: id: a sample '7' stands on line 1 already"
    ]
    found = mistakes(config(), "[]", "{", '{"id": "a"}')
    assert [f.split(" (")[0] for f in found] == [
        "d.jsonl: : must be one JSON object a line, is a list",
        "d.jsonl: : not JSON: unexpected end of data",
        "d.jsonl: input: is missing",
    ]


def test_S2_58_the_hash_covers_id_input_expected_and_tags_and_no_metadata() -> None:
    """Also where no check reads them."""
    line = {"id": "s", "input": "hello", "expected": "e", "tags": ["t"], "metadata": {"m": 1}}

    def whole(**other: Any) -> str:
        return read(config(), line | other)[0].hash

    assert whole() == whole(metadata={"m": 2}) == whole(metadata=None)
    assert len({whole(), whole(id="z"), whole(input="z"), whole(expected="z"), whole(tags=["z"])}) == 5


def test_S2_58_a_run_is_a_samples_by_its_name_and_else_by_exactly_its_input() -> None:
    """The name decides first; an input that is a value equals that of the run."""
    samples = [{"id": "s", "input": "hello"}, {"id": "t", "input": {"question": "q"}}]
    (suite,) = read(config(), *samples)
    named, valued, other = run(), run(input={"question": "q"}), run(input="hello you")
    named.run.case_name = "t"
    grading = grade(suite, run(), named, valued, other)
    assert [len(c.samples) for c in grading.cases] == [1, 2]
    assert grading.unmatched == 1


def test_S2_58_the_target_and_unknown_keys_are_notices() -> None:
    """They are the live runner's business; they are told with every grading and never counted as checked."""
    suites = {"main": {"dataset": "d", "checks": ["c"], "target": {"kind": "http"}, "parallel": 4}}
    (suite,) = read(
        config(suites=suites, retries=3, prices={"m": {"input": 1, "output": 2}}),
        {"id": "s", "input": "hello", "note": "x"},
    )
    told = "\n".join(grade(suite, run()).notices)
    for part in ("not applicable after the fact: `target`", "'retries'", "`suites.main.parallel`", "'note'"):
        assert part in told
    assert "prices" not in told


def test_S2_58_output_that_is_no_text_is_json_with_sorted_keys() -> None:
    """And null is empty."""
    check = {"c": {"type": "exact", "expected": '{"a": 1, "b": 2}'}}
    (suite,) = read(config(checks=check))
    assert grade(suite, run(reply={"b": 2, "a": 1})).samples[0].outcome == "pass"
    (empty,) = read(config(checks={"c": {"type": "length", "max_chars": 0}}))
    assert grade(empty, run(reply=None)).samples[0].outcome == "pass"
