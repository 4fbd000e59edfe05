"""`compare`: a model says whether the reply is better than that of a baseline, asked in both orders."""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field, ValidationInfo, field_validator

from grader.asking import Answer, Question, ReplyWanted
from grader.forms import Defaults, Form, Text, beside
from grader.judge.prompting import question, verdict
from grader.judged import JudgedItem, reasoning, reply_of, request_of, unheard
from grader.outcome import Finding
from grader.replies import Rendering
from grader.scene import Primitive, Scene

WORTH = {"first": 1.0, "tie": 0.5, "second": 0.0}
"""For the candidate, where it stands first (S2-38)."""

PASSES_AT = 0.5
_SCHEMA = verdict(better={"type": "string", "enum": list(WORTH)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairwise:
    """The mean over the judged orders reaches a half (S2-38). `baseline` is a recorded reply, `batch` where to look for one.

    Exactly one of the two is given.
    """

    rubric: str
    baseline: str | None = None
    batch: str | None = None
    both_orders: bool = True
    model: str = ""
    max_tokens: int = 1024
    rendering: Rendering = "compact"

    def decide(self, scene: Scene) -> Finding:
        """One order without a verdict leaves it open: it is no mean of the other (S2-39)."""
        spans = scene.job.spans[:1]
        reply = reply_of(scene, self.rendering)
        if reply is None:
            return Finding(None, f"the comparison cannot be judged: {scene.lack('reply', 'job')}", spans)
        other = Answer(value=self.baseline) if self.batch is None else scene.ask(self._wanted(scene))
        if other.error:
            return unheard("the comparison", other, spans)
        request = request_of(scene)
        orders = [(reply, other.value), (other.value, reply)][: 2 if self.both_orders else 1]
        answers = [scene.ask(self._question(request, *order)) for order in orders]
        lost = next((answer for answer in answers if answer.error), None)
        if lost is not None:
            return unheard("the comparison", lost, spans)
        values = [WORTH[a.value["better"]] if n == 0 else 1 - WORTH[a.value["better"]] for n, a in enumerate(answers)]
        value = sum(values) / len(values)
        told = "; ".join(f"{_who(v)} ({reasoning(a)})" for v, a in zip(values, answers, strict=True))
        return Finding(value >= PASSES_AT, f"against the baseline {value:g}: {told}", spans, value)

    def _wanted(self, scene: Scene) -> ReplyWanted:
        return ReplyWanted(batch=self.batch or "", case=scene.run.case_name, input=request_of(scene))

    def _question(self, request: str | None, first: str, second: str) -> Question:
        data = {"rubric": self.rubric, "request": request, "first": first, "second": second}
        return question("pairwise", _SCHEMA, data, self.model, self.max_tokens)


def _who(value: float) -> str:
    return "a tie" if value == PASSES_AT else "this reply is better" if value > PASSES_AT else "the baseline is better"


class Compare(Form):
    """A release to compare with, and by what."""

    baseline: Text = Field(description="The batch whose runs to compare with.")
    rubric: Text = Field(description="A file beside the suite that says what is better.")
    both_orders: bool = True
    model: Text | None = None

    @field_validator("rubric")
    @classmethod
    def _read(cls, name: str, info: ValidationInfo) -> str:
        return beside(name, info.context)


class CompareItem(JudgedItem):
    """A model compares the reply with that of a baseline."""

    KEY: ClassVar[str] = "compare"

    compare: Compare

    def label(self) -> str:
        """With whom it is compared."""
        return f"compare with {self.compare.baseline}"

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """In both orders, unless it says otherwise."""
        asked = self.compare
        return Pairwise(
            rubric=asked.rubric, batch=asked.baseline, both_orders=asked.both_orders, model=asked.model or ""
        )


FORMS = (CompareItem,)
