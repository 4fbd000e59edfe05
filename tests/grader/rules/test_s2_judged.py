"""Rules S2-23 to S2-31 and S2-37 to S2-39: judges and comparisons, for whom nobody answers yet."""

from typing import Any

import pytest

from grader.levels import Levels
from tests.grader.evalstone_files import config, grade, read, refused, run, score

JUDGE = {"rubric": "Is it polite?"}
RAG = ("rag.faithfulness", "rag.context_relevance", "rag.answer_relevance")
INPUT = {"input": {"question": "q", "context": "c"}, "id": "s"}
PAIR = {"rubric": "Which is better?", "baseline": {"s": "before"}}


def named(type_: str, check: Any, sample: Any) -> Any:
    """The score of a run that bears the sample's id."""
    (suite,) = read(config(checks={"c": {"type": type_} | check}), sample)
    candidate = run()
    candidate.run.case_name = "s"
    return grade(suite, candidate).samples[0].results[0]


def test_S2_23_judge_takes_these_keys_with_these_defaults() -> None:
    """The rubric is needed; all else has a default, which the sentence tells."""
    sentence = score("judge", check=JUDGE).sentence
    assert "the default model would be asked “Is it polite?” (1 to 5, passes at 4, at most 1024 tokens" in sentence
    assert "include_reference false" in sentence
    more = {"scale": 3, "pass_level": 3, "model": "m", "include_reference": True, "max_tokens": 9}
    told = score("judge", expected="x", check=JUDGE | more).sentence
    assert "m would be asked “Is it polite?” (1 to 3, passes at 3, at most 9 tokens, include_reference true)" in told
    assert refused(type="judge") == ["rubric: is missing"]
    assert refused(type="judge", **JUDGE, threshold=1.5) == ["threshold: must be 0 to 1, is 1.5"]


@pytest.mark.parametrize(("scale", "level"), [(2, 2), (3, 2), (5, 4)])
def test_S2_24_the_second_highest_level_passes_by_default(scale: int, level: int) -> None:
    """On a scale of two the top one."""
    assert f"passes at {level}," in score("judge", check=JUDGE | {"scale": scale}).sentence
    assert [Levels(scale=scale).passes(n) for n in (level - 1, level)] == [False, True]


def test_S2_25_the_value_runs_from_0_to_1_over_the_levels() -> None:
    """(level - 1) / (scale - 1)."""
    assert [Levels(scale=5).value(n) for n in range(1, 6)] == [0, 0.25, 0.5, 0.75, 1]


def test_S2_26_a_level_or_a_threshold_passes_and_bad_ones_are_mistakes() -> None:
    """Both include their bound; both at once, a scale below 2 and a level outside the scale are refused."""
    assert [Levels(scale=5, pass_level=2).passes(n) for n in (1, 2)] == [False, True]
    assert [Levels(scale=5, threshold=0.5).passes(n) for n in (2, 3)] == [False, True]
    assert "exclude each other" in refused(type="judge", **JUDGE, pass_level=3, threshold=0.5)[0]
    assert refused(type="judge", **JUDGE, scale=1) == ["scale: must be at least 2, is 1"]
    assert refused(type="judge", **JUDGE, scale=3, pass_level=4) == ["pass_level: must be 1 to 3, is 4"]
    assert refused(type="judge", **JUDGE, pass_level=0) == ["pass_level: must be 1 to 5, is 0"]


@pytest.mark.parametrize(
    "other", [{"rubric": "r"}, {"scale": 4}, {"model": "n"}, {"pass_level": 5}, {"threshold": 0.9}]
)
def test_S2_27_another_rubric_scale_or_model_is_another_check(other: Any) -> None:
    """The definition's hash changes with what a verdict hangs on, so no verdict is taken for one on another question."""
    (one,), (two,) = (read(config(checks={"c": {"type": "judge"} | JUDGE | more})) for more in ({}, other))
    (same,) = read(config(checks={"c": JUDGE | {"type": "judge"}}))
    assert one.hash == same.hash != two.hash


def test_S2_27_the_default_model_is_part_of_the_question() -> None:
    """`judges.default_model` holds where a check names none."""
    (suite,) = read(config(checks={"c": {"type": "judge"} | JUDGE}, judges={"default_model": "m2"}))
    assert "m2 would be asked" in grade(suite, run()).samples[0].results[0].sentence


def test_S2_28_without_a_judge_a_score_is_an_error_and_the_gate_fails() -> None:
    """Never a pass, whatever else passed."""
    checks = {"c": {"type": "exact", "expected": "done"}, "j": {"type": "judge"} | JUDGE}
    suites = {"main": {"dataset": "d", "checks": ["c", "j"], "gate": {"min_pass_rate": 0.1}}}
    (suite,) = read(config(checks=checks, suites=suites))
    grading = grade(suite, run())
    assert [r.outcome for r in grading.samples[0].results] == ["pass", "error"]
    assert grading.decision.verdict == "failed"
    assert "no judge is attached" in grading.decision.text


@pytest.mark.parametrize(("type_", "about"), list(zip(RAG, ("context", "question, context", "question"), strict=True)))
def test_S2_29_the_rag_checks_load_and_are_errors_without_a_judge(type_: str, about: str) -> None:
    """They need no key of their own; each asks about its own fields, a model by a threshold where these are named."""
    result = named(type_, {}, INPUT)
    assert (result.outcome, "no judge is attached" in result.sentence) == ("error", True)
    asked = named(type_, {"model": "m", "threshold": 0.5}, INPUT).sentence
    assert f"m would be asked about {about}, passing at 0.5; no judge" in asked
    assert refused(type=type_, threshold=2) == ["threshold: must be 0 to 1, is 2"]


@pytest.mark.parametrize(
    ("type_", "fields"), [(RAG[0], ["context"]), (RAG[1], ["question", "context"]), (RAG[2], ["question"])]
)
def test_S2_30_question_and_context_name_fields_of_the_input(type_: str, fields: list[str]) -> None:
    """By default those names; one that the input does not have is an error that says so."""
    for field in fields:
        assert f"no field '{field}'" in named(type_, {}, INPUT | {"input": {"x": 1}}).sentence.replace(
            "', '", "', no field '"
        )
        assert "no field 'other'" in named(type_, {field: "other"}, INPUT).sentence
    assert "no field" in named(type_, {}, INPUT | {"input": "text"}).sentence


@pytest.mark.parametrize("type_", RAG)
def test_S2_31_rag_checks_take_no_other_keys(type_: str) -> None:
    """Their rubric and scale are their own; faithfulness asks no question."""
    for key in ("scale", "pass_level", "include_reference", "rubric", "max_tokens"):
        assert refused(type=type_, **{key: 1})[0].startswith(f"{key}: unknown key")
    assert bool(refused(type=type_, question="q")) is (type_ == "rag.faithfulness")
    assert bool(refused(type=type_, context="c")) is (type_ == "rag.answer_relevance")


def test_S2_37_pairwise_takes_a_rubric_and_a_baseline() -> None:
    """Outputs by sample id, or a target; both orders by default."""
    told = score("comparison.pairwise", check=PAIR).sentence
    assert "“Which is better?”" in told
    assert "both_orders true" in told
    assert "against “before”" in told
    target = score("comparison.pairwise", check=PAIR | {"baseline": {"kind": "http", "url": "u"}}).sentence
    assert "would have to be run" in target
    assert refused(type="comparison.pairwise", rubric="r") == ["baseline: is missing"]
    assert refused(type="comparison.pairwise", baseline={"s": "x"}) == ["rubric: is missing"]
    assert refused(type="comparison.pairwise", rubric="r", baseline="x")[0].startswith("baseline: must be")
    assert refused(type="comparison.pairwise", **PAIR, both_orders=1) != []


def test_S2_38_a_comparison_without_a_judge_has_no_value() -> None:
    """It passes at half, so no half may come from nowhere."""
    result = score("comparison.pairwise", check=PAIR)
    assert (result.outcome, result.value) == ("error", None)


def test_S2_39_a_baseline_without_the_sample_is_an_error() -> None:
    """The sentence names the sample."""
    result = score("comparison.pairwise", check=PAIR | {"baseline": {"other": "x"}})
    assert (result.outcome, "no output for sample 's'" in result.sentence) == ("error", True)
