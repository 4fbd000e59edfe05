"""Rules S2-23 to S2-31 and S2-37 to S2-39: judges and comparisons."""

from collections.abc import Callable
from typing import Any

import pytest

from grader.asking import Answer, Question
from grader.levels import Levels
from grader.outcome import Result
from tests.grader.evalstone_files import config, read, refused, run, score
from tests.grader.judge.answering import Answering, better, judged, level, nobody

JUDGE = {"rubric": "Is it polite?"}
RAG = ("rag.faithfulness", "rag.context_relevance", "rag.answer_relevance")
INPUT = {"input": {"question": "q", "context": "c"}, "id": "s"}
PAIR = {"rubric": "Which is better?", "baseline": {"s": "before"}}
KINDS = ("judge", *RAG, "comparison.pairwise")


def answered(
    type_: str, check: Any, says: Callable[[Any], Answer], sample: Any = None, **more: Any
) -> tuple[Result, list[Question]]:
    """The score of one check on one run that bears the sample's id, and what was asked."""
    panel = Answering(says)
    (suite,) = read(config(checks={"c": {"type": type_} | check}), *([sample] if sample else []))
    candidate = run(**more)
    candidate.run.case_name = "s"
    ((result,),) = [s.results for s in judged(suite, panel, candidate).samples]
    return result, panel.asked


def asked(type_: str, check: Any, sample: Any = None, **more: Any) -> Question:
    """The first question that a check asks."""
    return answered(type_, check, nobody(), sample, **more)[1][0]


def test_S2_23_judge_takes_these_keys_with_these_defaults() -> None:
    """The rubric is needed; all else has a default."""
    plain = asked("judge", JUDGE)
    assert "Is it polite?" in plain.prompt
    assert (plain.model, plain.max_tokens) == ("m", 1024)
    assert '"enum":[1,2,3,4,5]' in plain.schema
    more = {"scale": 3, "pass_level": 3, "model": "n", "include_reference": True, "max_tokens": 9}
    other = asked("judge", JUDGE | more, {"id": "s", "input": "hello", "expected": "the reference"})
    assert (other.model, other.max_tokens) == ("n", 9)
    assert '"enum":[1,2,3]' in other.schema
    assert "the reference" in other.prompt
    assert (
        "the reference" not in asked("judge", JUDGE, {"id": "s", "input": "hello", "expected": "the reference"}).prompt
    )
    assert refused(type="judge") == ["rubric: is missing"]
    assert refused(type="judge", **JUDGE, threshold=1.5) == ["threshold: must be 0 to 1, is 1.5"]


def test_S2_23_a_reference_that_is_to_be_shown_and_is_not_there_is_an_error() -> None:
    """Nobody is asked."""
    result, questions = answered("judge", JUDGE | {"include_reference": True}, level(5))
    assert (result.outcome, questions) == ("error", [])


@pytest.mark.parametrize(("scale", "least"), [(2, 2), (3, 2), (5, 4)])
def test_S2_24_the_second_highest_level_passes_by_default(scale: int, least: int) -> None:
    """On a scale of two the top one."""
    found = [answered("judge", JUDGE | {"scale": scale}, level(n))[0].outcome for n in (least - 1, least)]
    assert found == ["fail", "pass"]
    assert [Levels(scale=scale).passes(n) for n in (least - 1, least)] == [False, True]


@pytest.mark.parametrize("scale", range(2, 11))
def test_S2_25_the_value_runs_from_0_to_1_over_the_levels(scale: int) -> None:
    """(level - 1) / (scale - 1), on every scale; each level passes exactly from the second-highest on."""
    assert [Levels(scale=5).value(n) for n in range(1, 6)] == [0, 0.25, 0.5, 0.75, 1]
    for number in range(1, scale + 1):
        result, _ = answered("judge", JUDGE | {"scale": scale}, level(number))
        assert result.value == pytest.approx((number - 1) / (scale - 1))
        assert result.outcome == ("pass" if number >= (scale if scale == 2 else scale - 1) else "fail")


def test_S2_26_a_level_or_a_threshold_passes_and_bad_ones_are_mistakes() -> None:
    """Both include their bound; both at once, a scale below 2 and a level outside the scale are refused."""
    assert [Levels(scale=5, pass_level=2).passes(n) for n in (1, 2)] == [False, True]
    assert [Levels(scale=5, threshold=0.5).passes(n) for n in (2, 3)] == [False, True]
    passing = [answered("judge", JUDGE | {"threshold": 0.5}, level(n))[0].outcome for n in (2, 3)]
    assert passing == ["fail", "pass"]
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


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ({"rubric": "r"}, False),
        ({"scale": 4}, False),
        ({"model": "n"}, False),
        ({"pass_level": 5}, True),
        ({"max_tokens": 9}, True),
    ],
)
def test_S2_27_the_level_is_what_is_known_not_whether_it_passes(other: Any, same: bool) -> None:
    """A verdict is found again by judge and prompt; another pass level asks nobody anew."""
    assert (asked("judge", JUDGE).key == asked("judge", JUDGE | other).key) is same


def test_S2_27_the_default_model_is_part_of_the_question() -> None:
    """`judges.default_model` holds where a check names none; where the file names none the command line's."""
    (suite,) = read(config(checks={"c": {"type": "judge"} | JUDGE}, judges={"default_model": "m2"}))
    panel = Answering(level(5))
    judged(suite, panel, run())
    assert [q.model for q in panel.asked] == ["m2"]
    assert asked("judge", JUDGE).model == "m"
    assert asked("judge", JUDGE | {"model": "m3"}).model == "m3"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "why", ["no key: set ANTHROPIC_API_KEY", "the judge cannot be reached", "the judge's answer is not JSON"]
)
def test_S2_28_without_a_verdict_a_score_is_an_error_and_the_gate_fails(kind: str, why: str) -> None:
    """Never a pass, whatever else passed; the sentence says why."""
    check = {"type": kind} | (JUDGE if kind == "judge" else PAIR if kind == "comparison.pairwise" else {})
    checks = {"c": {"type": "exact", "expected": "done"}, "j": check}
    suites = {"main": {"dataset": "d", "checks": ["c", "j"], "gate": {"min_pass_rate": 0.1}}}
    (suite,) = read(config(checks=checks, suites=suites), INPUT)
    candidate = run()
    candidate.run.case_name = "s"
    grading = judged(suite, Answering(nobody(why)), candidate)
    results = grading.samples[0].results
    assert [(r.outcome, r.value) for r in results] == [("pass", 1.0), ("error", None)]
    assert why in results[1].sentence
    assert grading.decision.verdict == "failed"
    assert why in grading.decision.text


def test_S2_28_where_nobody_is_asked_a_score_is_an_error() -> None:
    """As in a preview."""
    result = score("judge", check=JUDGE)
    assert (result.outcome, "no judge was asked" in result.sentence) == ("error", True)


SHOWN = (
    (RAG[0], ("the context", "the reply"), "the question"),
    (RAG[1], ("the question", "the context"), "the reply"),
    (RAG[2], ("the question", "the reply"), "the context"),
)


@pytest.mark.parametrize(("type_", "shown", "hidden"), SHOWN)
def test_S2_29_the_rag_checks_show_what_they_judge(type_: str, shown: tuple[str, str], hidden: str) -> None:
    """Faithfulness by the context; context relevance without the answer, answer relevance without the context."""
    sample = {"input": {"question": "the question", "context": "the context"}, "id": "s"}
    question = asked(type_, {"model": "n", "threshold": 0.5}, sample, reply="the reply")
    sections = question.prompt.split("The mark of this message")[1].replace("The reply to be checked", "")
    assert all(f">\n{text}\n<" in sections for text in shown)
    assert f">\n{hidden}\n<" not in sections
    assert question.model == "n"
    results = [answered(type_, {"threshold": 0.5}, level(n), sample)[0] for n in (2, 3)]
    assert [(r.outcome, r.value) for r in results] == [("fail", 0.25), ("pass", 0.5)]
    assert [answered(type_, {}, level(n), sample)[0].outcome for n in (3, 4)] == ["fail", "pass"]
    assert refused(type=type_, threshold=2) == ["threshold: must be 0 to 1, is 2"]


@pytest.mark.parametrize(
    ("type_", "fields"), [(RAG[0], ["context"]), (RAG[1], ["question", "context"]), (RAG[2], ["question"])]
)
def test_S2_30_question_and_context_name_fields_of_the_input(type_: str, fields: list[str]) -> None:
    """By default those names; one that the input does not have is an error that says so, and nobody is asked."""
    for field in fields:
        result, questions = answered(type_, {}, level(5), INPUT | {"input": {"x": 1}})
        assert (result.outcome, questions) == ("error", [])
        assert f"'{field}'" in result.sentence
        assert "no field 'other'" in answered(type_, {field: "other"}, level(5), INPUT)[0].sentence
        named = INPUT | {"input": INPUT["input"] | {"other": "another text"}}  # ty: ignore
        assert "another text" in asked(type_, {field: "other"}, named).prompt
    assert "no field" in answered(type_, {}, level(5), INPUT | {"input": "text"})[0].sentence


@pytest.mark.parametrize("type_", RAG)
def test_S2_31_rag_checks_take_no_other_keys(type_: str) -> None:
    """Their rubric and scale are their own; faithfulness asks no question."""
    for key in ("scale", "pass_level", "include_reference", "rubric", "max_tokens"):
        assert refused(type=type_, **{key: 1})[0].startswith(f"{key}: unknown key")
    assert bool(refused(type=type_, question="q")) is (type_ == "rag.faithfulness")
    assert bool(refused(type=type_, context="c")) is (type_ == "rag.answer_relevance")
    assert '"enum":[1,2,3,4,5]' in asked(type_, {}, INPUT).schema


def test_S2_37_pairwise_takes_a_rubric_and_a_baseline() -> None:
    """Outputs by sample id, or a target, which would have to be run; both orders by default."""
    _, both = answered("comparison.pairwise", PAIR | {"model": "n", "max_tokens": 9}, better("first"))
    assert [(q.model, q.max_tokens, "Which is better?" in q.prompt) for q in both] == [("n", 9, True)] * 2
    places = [(q.prompt.index(">\nbefore\n<"), q.prompt.index(">\ndone\n<")) for q in both]
    assert [a < b for a, b in places] == [False, True]
    assert asked("comparison.pairwise", PAIR).max_tokens == 1024
    assert len(answered("comparison.pairwise", PAIR | {"both_orders": False}, better("first"))[1]) == 1
    target = score("comparison.pairwise", check=PAIR | {"baseline": {"kind": "http", "url": "u"}}).sentence
    assert "would have to be run" in target
    assert refused(type="comparison.pairwise", rubric="r") == ["baseline: is missing"]
    assert refused(type="comparison.pairwise", baseline={"s": "x"}) == ["rubric: is missing"]
    assert refused(type="comparison.pairwise", rubric="r", baseline="x")[0].startswith("baseline: must be")
    assert refused(type="comparison.pairwise", **PAIR, both_orders=1) != []


@pytest.mark.parametrize(
    ("says", "both", "one"),
    [
        ("first", (0.5, "pass"), (1.0, "pass")),
        ("tie", (0.5, "pass"), (0.5, "pass")),
        ("second", (0.5, "pass"), (0.0, "fail")),
    ],
)
def test_S2_38_the_value_is_the_mean_over_the_orders(says: str, both: Any, one: Any) -> None:
    """1, 0.5 or 0 for the candidate; a judge that always prefers one place gives half (S2-39), which passes."""
    result, _ = answered("comparison.pairwise", PAIR, better(says))
    assert (result.value, result.outcome) == both
    result, _ = answered("comparison.pairwise", PAIR | {"both_orders": False}, better(says))
    assert (result.value, result.outcome) == one


@pytest.mark.parametrize(("favours", "value", "outcome"), [("done", 1.0, "pass"), ("before", 0.0, "fail")])
def test_S2_38_a_judge_that_prefers_a_text_is_heard_in_both_orders(favours: str, value: float, outcome: str) -> None:
    """Wherever it stands."""

    def says(question: Question) -> Answer:
        other = "before" if favours == "done" else "done"
        first = question.prompt.index(f">\n{favours}\n<") < question.prompt.index(f">\n{other}\n<")
        return better("first" if first else "second")(question)

    result, _ = answered("comparison.pairwise", PAIR, says)
    assert (result.value, result.outcome) == (value, outcome)


def test_S2_38_a_comparison_without_a_judge_has_no_value() -> None:
    """It passes at half, so no half may come from nowhere."""
    result = score("comparison.pairwise", check=PAIR)
    assert (result.outcome, result.value) == ("error", None)


def test_S2_39_one_order_without_a_verdict_is_an_error() -> None:
    """And not the mean of the other."""
    answers = iter([better("first")(None), nobody()(None)])
    result, _ = answered("comparison.pairwise", PAIR, lambda _: next(answers))
    assert (result.outcome, result.value) == ("error", None)


def test_S2_39_a_baseline_without_the_sample_is_an_error() -> None:
    """The sentence names the sample, and nobody is asked."""
    result, questions = answered("comparison.pairwise", PAIR | {"baseline": {"other": "x"}}, better("first"))
    assert (result.outcome, questions) == ("error", [])
    assert "no output for sample 's'" in result.sentence
