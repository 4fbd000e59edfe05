"""Runs that wait for answers are judged again once these are there, and only those."""

from collections.abc import Set as AbstractSet
from typing import Any

import pytest

from grader.asking import Answer
from grader.grading import reported
from grader.judge import second_look
from grader.judge.judges import Judges
from grader.judge.tally import Asked
from grader.judge.verdicts import NOBODYS
from grader.part import Judge, Part, Terms
from grader.sample import Candidate
from tests.grader.judge.answering import Answering, met
from tests.grader.suites import suite
from tests.grader.trees import candidate, job

SUITE = suite(
    "  - {name: a, request: hello, expect: [{judge: friendly}, {called: refund, severity: minor}]}\n"
    "  - {name: b, request: other, expect: [{status: completed}]}\n"
    "  - {name: all, expect: [{judge: polite}]}\n"
)
TERMS = Terms(now=0)


def runs(*inputs: str) -> list[Candidate]:
    return [candidate(job("refund", input=text, reply=f"reply {n}"), id=f"run-{n}") for n, text in enumerate(inputs)]


def looked(panel: Answering, candidates: list[Candidate]) -> tuple[Part, list[str], Asked]:
    """The part, the runs that were read again, and what became of the judges."""
    whole = Judge(SUITE, TERMS).part(candidates)
    read: list[str] = []

    def again(ids: AbstractSet[str]) -> list[Candidate]:
        read.extend(sorted(ids))
        return [c for c in candidates if c.run.id in ids]

    return whole, read, second_look.settle(whole, SUITE, TERMS, panel, again)  # ty: ignore


def test_every_sample_gets_its_own_answer() -> None:
    """In its place; what asked nobody stays as it was."""

    def says(question: Any) -> Answer:
        return met("reply 0" in question.prompt)(question)

    candidates = runs("hello", "hello", "other")
    before = Judge(SUITE, TERMS).part(candidates)
    assert {(w.case, w.place) for w in before.waiting} == {("a", 0), ("a", 1), ("all", 0), ("all", 1), ("all", 2)}
    whole, read, _ = looked(Answering(says), candidates)
    assert whole.waiting == []
    assert [s.outcome for s in whole.samples["a"]] == ["pass", "fail"]
    assert [s.outcome for s in whole.samples["all"]] == ["pass", "fail", "fail"]
    assert [s.run.run_id for s in whole.samples["all"]] == ["run-0", "run-1", "run-2"]
    assert whole.samples["b"][0].outcome == "pass"
    assert read == ["run-0", "run-1", "run-2"]


def test_equal_questions_are_asked_once() -> None:
    """Of two runs with the same words."""
    candidates = [candidate(job(input="other", reply="same"), id=f"run-{n}") for n in range(3)]
    panel = Answering(met(True))
    whole, _, _ = looked(panel, candidates)
    assert len(panel.asked) == 1
    assert panel.about == {panel.asked[0].key: {"run-0", "run-1", "run-2"}}
    assert [s.outcome for s in whole.samples["all"]] == ["pass"] * 3


def test_the_result_tells_what_it_cost() -> None:
    """With whether the verdict was known before."""
    whole, _, _ = looked(Answering(met(True)), runs("hello"))
    (result, called) = whole.samples["a"][0].results[:2]
    assert (result.cost_usd, result.cached) == (0.01, False)
    assert (called.cost_usd, called.cached) == (None, None)
    known, _, _ = looked(Answering(lambda q: Answer(value=met(True)(q).value, cached=True)), runs("hello"))
    assert (known.samples["a"][0].results[0].cost_usd, known.samples["a"][0].results[0].cached) == (0.0, True)


def test_the_verdict_is_among_what_a_sample_hangs_on() -> None:
    """Another judge, or another verdict, is another input; another wording of it is none."""

    def hashed(says: Any, model: str = "m") -> str:
        whole, _, _ = looked(Answering(says, model), runs("hello"))
        return whole.samples["a"][0].inputs_hash

    other = lambda _: Answer(value={"reasoning": "in other words", "met": True})  # noqa: E731
    assert hashed(met(True)) == hashed(other)
    assert len({hashed(met(True)), hashed(met(False)), hashed(met(True), "n")}) == 3


@pytest.mark.parametrize(("failing", "verdict"), [(False, "not gateable"), (True, "failed")])
def test_a_cap_is_told_by_the_gate(failing: bool, verdict: str) -> None:
    """What is known to fail fails; nothing passes that was not asked."""
    candidates = runs("hello")
    panel = Answering(met(not failing))
    whole, _, _ = looked(panel, candidates)
    tally = Judges().tally
    tally.not_asked = 3
    grading = reported(SUITE, whole, TERMS, id="g", asked=Asked(tally, "the cap of $1 is reached", capped=True))
    if not failing:
        assert {s.outcome for s in grading.samples} == {"pass"}
    assert grading.decision.verdict == verdict
    assert "the cap of $1 is reached; the rest is not graded" in grading.decision.text
    assert any("3 questions not asked" in n for n in grading.notices)


def test_a_check_that_never_stops_asking_is_left_open() -> None:
    """After some rounds; nothing hangs."""

    class Forgetful(Answering):
        def answers(self, asks: Any, about: Any = NOBODYS) -> dict[str, Answer]:
            super().answers(asks, about)
            return {}

    panel = Forgetful(met(True))
    whole, _, _ = looked(panel, runs("hello"))
    assert len(whole.waiting) == 2
    assert whole.samples["a"][0].outcome == "indeterminate"
