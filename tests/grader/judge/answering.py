"""Answers to what checks ask, without anybody who is asked: a check is a pure function of them."""

from collections.abc import Callable
from typing import Any

from grader.asking import Answer, Answers, Ask
from grader.outcome import Finding
from grader.scene import Primitive, Scene


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
