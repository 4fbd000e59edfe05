"""Judges again what waited for an answer: all asks of a suite are answered at once, then their runs are looked at once more."""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from grader.asking import Answers
from grader.case import Suite
from grader.judge.panel import Panel
from grader.judge.tally import Asked
from grader.part import Judge, Part, Terms, Waiting
from grader.sample import Candidate

MOST_ROUNDS = 8
"""A comparison asks twice: for the other reply, then about the two. No check asks that often."""


def settle(
    whole: Part, suite: Suite, terms: Terms, panel: Panel, runs: Callable[[AbstractSet[str]], Iterable[Candidate]]
) -> Asked:
    """Replaces the samples of `whole` that wait by those with answers. `runs` reads runs by id."""
    before = panel.judges.tally.copy()
    answers = Answers(model=panel.model)
    judge = Judge(suite, terms, answers=answers)
    cases = {case.name: case for case in suite.cases}
    for _ in range(MOST_ROUNDS):
        if not whole.waiting:
            break
        answers.known |= panel.answers([ask for one in whole.waiting for ask in one.asked], _about(whole, panel.model))
        by_run: dict[str, list[Waiting]] = {}
        for one in whole.waiting:
            by_run.setdefault(one.run_id, []).append(one)
        whole.waiting = []
        for candidate in runs(by_run.keys()):
            for one in by_run[candidate.run.id]:
                whole.samples[one.case][one.place] = judge.judge(cases[one.case], candidate)
                if answers.asked:
                    asked = tuple(answers.asked.values())
                    quoted = tuple(run for answer in answers.drawn.values() for run in answer.runs)
                    whole.waiting.append(Waiting(one.case, one.place, one.run_id, asked, quoted))
    judges = panel.judges
    return Asked(judges.tally.since(before), judges.stopped, judges.capped)


def _about(whole: Part, model: str) -> dict[str, set[str]]:
    """By the key of what is asked, the runs whose words stand in it."""
    about: dict[str, set[str]] = {}
    for one in whole.waiting:
        for ask in one.asked:
            about.setdefault(ask.by(model).key, set()).update((one.run_id, *one.quoted))
    return about
