"""What checks share that must ask somebody: how a missing answer is told, what is shown, and what a level comes to."""

from typing import Any, ClassVar

from grader.asking import Answer
from grader.forms import Item
from grader.judge.prompting import verdict
from grader.levels import Levels
from grader.outcome import Finding, Policy, Unknown
from grader.patterns import show
from grader.replies import Rendering, text_of
from grader.scene import Scene

MOST_REASONING = 400
"""Characters of a judge's reasoning that a sentence repeats."""


def unheard(what: str, answer: Answer, spans: list[str]) -> Finding:
    """What a check comes to whose question has no answer."""
    return Finding(None, f"{what} is not graded: {answer.error}", spans)


def reasoning(answer: Answer) -> str:
    """The judge's words, shortened."""
    return show(answer.value["reasoning"], MOST_REASONING)


def reply_of(scene: Scene, rendering: Rendering) -> str | None:
    """The whole reply as text; None where it was not captured, or only in part: nobody judges what is not there."""
    return text_of(scene.job.reply, rendering) if scene.complete("reply", "job") else None


def request_of(scene: Scene) -> str | None:
    """What the agent was asked; None where it was not captured."""
    return text_of(scene.job.input) if scene.complete("input", "job") else None


def level_of(scale: int) -> dict[str, Any]:
    """The schema of a verdict with a level: a whole number from 1 to `scale`, as a list of all."""
    return verdict(level={"type": "integer", "enum": list(range(1, scale + 1))})


def by_level(answer: Answer, levels: Levels, what: str, spans: list[str]) -> Finding:
    """What a level comes to."""
    if answer.error:
        return unheard(what, answer, spans)
    level = answer.value["level"]
    sentence = f"{what}: level {level} of {levels.tell()}: {reasoning(answer)}"
    return Finding(levels.passes(level), sentence, spans, levels.value(level))


class JudgedItem(Item):
    """A check that somebody must be asked for: without an answer it is not graded, unless it says what that means."""

    SPARED: ClassVar[bool] = True

    def policy(self, unknown: Unknown) -> Policy:  # noqa: ARG002
        """Not graded: a critical one keeps its case from passing."""
        return self.unknown or "not_graded"
