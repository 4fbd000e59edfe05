"""Answers to what checks ask, without anybody who is asked: a check is a pure function of them."""

from collections.abc import Callable, Collection
from typing import Any

from grader.asking import Answer, Answers, Ask, Question
from grader.case import Suite
from grader.grading import Grading, reported
from grader.judge import second_look
from grader.judge.judges import Judges
from grader.judge.verdicts import NOBODYS, About
from grader.outcome import Finding
from grader.part import Judge, Terms
from grader.sample import Candidate
from grader.scene import Primitive, Scene
from tests.grader.trees import SECOND


def decided(primitive: Primitive, scene: Scene, answer: Callable[[Any], Answer]) -> Finding:
    """What the check comes to once everything that it asks is answered so."""
    scene.answers = Answers(model="m")
    for _ in range(5):
        finding = primitive.decide(scene)
        if not scene.answers.asked:
            return finding
        scene.answers.known |= {key: answer(ask) for key, ask in scene.answers.asked.items()}
        scene.answers.asked = {}
    raise AssertionError("it never stops asking")


def asks(primitive: Primitive, scene: Scene) -> list[Ask]:
    """What it asks first."""
    scene.answers = Answers(model="m")
    primitive.decide(scene)
    return list(scene.answers.asked.values())


def level(number: int) -> Callable[[Any], Answer]:
    """A judge that always gives that level."""
    return lambda _: Answer(value={"reasoning": "because", "level": number}, cost_usd=0.01)


def met(truth: bool) -> Callable[[Any], Answer]:
    """A judge that always says so."""
    return lambda _: Answer(value={"reasoning": "because", "met": truth}, cost_usd=0.01)


def better(which: str) -> Callable[[Any], Answer]:
    """A judge that always prefers that one."""
    return lambda _: Answer(value={"reasoning": "because", "better": which}, cost_usd=0.01)


def nobody(why: str = "no key: set ANTHROPIC_API_KEY") -> Callable[[Any], Answer]:
    """A judge from whom nothing comes."""
    return lambda _: Answer(error=why)


class Answering:
    """A panel on which everybody says the same, and what it was asked."""

    def __init__(self, says: Callable[[Any], Answer], model: str = "m") -> None:
        self.says = says
        self.model = model
        self.judges = Judges()
        self.asked: list[Question] = []
        self.about: dict[str, Collection[str]] = {}

    def answers(self, asks: Any, about: About = NOBODYS) -> dict[str, Answer]:
        """Of each."""
        self.about |= about
        resolved = {ask.key: ask for ask in (one.by(self.model) for one in asks)}
        self.asked += resolved.values()
        return {key: self.says(ask) for key, ask in resolved.items()}


def judged(suite: Suite, panel: Answering, *candidates: Candidate) -> Grading:
    """The grading once everybody has answered."""
    terms = Terms(now=1_000 * SECOND)
    whole = Judge(suite, terms).part(candidates)
    asked = second_look.settle(whole, suite, terms, panel, lambda ids: [c for c in candidates if c.run.id in ids])  # ty: ignore
    return reported(suite, whole, terms, id="g", asked=asked)
