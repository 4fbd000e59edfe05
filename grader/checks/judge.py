"""`judge`: a model decides whether the reply meets a criterion, or which level of a rubric it reaches."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from grader.asking import Question
from grader.forms import Defaults, Form, Text, beside
from grader.judge.prompting import question, verdict
from grader.judged import JudgedItem, by_level, level_of, reasoning, reply_of, request_of, unheard
from grader.levels import LEAST_SCALE, Levels
from grader.outcome import Finding
from grader.patterns import show
from grader.replies import Rendering
from grader.scene import Primitive, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """The reply meets a plain sentence."""

    criterion: str
    model: str = ""
    max_tokens: int = 1024
    rendering: Rendering = "compact"

    def decide(self, scene: Scene) -> Finding:
        """By one question."""
        spans = scene.job.spans[:1]
        reply = reply_of(scene, self.rendering)
        if reply is None:
            return Finding(None, f"“{self.criterion}” cannot be judged: {scene.lack('reply', 'job')}", spans)
        answer = scene.ask(self.question(reply, request_of(scene)))
        if answer.error:
            return unheard(f"“{self.criterion}”", answer, spans)
        met = answer.value["met"]
        return Finding(met, f"“{self.criterion}” is {'met' if met else 'not met'}: {reasoning(answer)}", spans)

    def question(self, reply: str, request: str | None) -> Question:
        """Whether it is met."""
        return question(
            "criterion", verdict(met={"type": "boolean"}), {"criterion": self.criterion, "request": request, "reply": reply},
            self.model, self.max_tokens,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """The reply reaches a level of a rubric. `reference` is shown to the judge (None: there is none)."""

    rubric: str
    levels: Levels
    model: str = ""
    max_tokens: int = 1024
    reference: str | None = None
    rendering: Rendering = "compact"

    def decide(self, scene: Scene) -> Finding:
        """By one question; the level is the answer, and whether it passes follows from it (S2-25 to S2-27)."""
        spans = scene.job.spans[:1]
        reply = reply_of(scene, self.rendering)
        if reply is None:
            return Finding(None, f"the rubric cannot be judged: {scene.lack('reply', 'job')}", spans)
        return by_level(scene.ask(self.question(reply, request_of(scene))), self.levels, "the rubric", spans)

    def question(self, reply: str, request: str | None) -> Question:
        """Which level it reaches."""
        data = {"rubric": self.rubric, "request": request, "reference": self.reference, "reply": reply}
        scale = self.levels.scale
        return question("rubric", level_of(scale), data, self.model, self.max_tokens, scale=str(scale))


class Judge(Form):
    """A criterion, or a rubric with a scale."""

    criterion: Text | None = Field(default=None, description="What must be true of the reply.")
    rubric: Text | None = Field(default=None, description="A file beside the suite that describes the levels.")
    scale: Annotated[int, Field(ge=LEAST_SCALE)] | None = Field(
        default=None, description="Levels from 1 up; default 5."
    )
    pass_level: Annotated[int, Field(ge=1)] | None = Field(default=None, description="The lowest level that passes.")
    model: Text | None = Field(default=None, description="Who is asked; else whom the suite names.")
    max_tokens: Annotated[int, Field(ge=1)] = Field(default=1024, description="The longest verdict.")

    @field_validator("rubric")
    @classmethod
    def _read(cls, name: str | None, info: ValidationInfo) -> str | None:
        return None if name is None else beside(name, info.context)

    @model_validator(mode="after")
    def _one(self) -> "Judge":
        if (self.criterion is None) == (self.rubric is None):
            raise ValueError("say a criterion or a rubric")
        if self.rubric is None and (self.scale is not None or self.pass_level is not None):
            raise ValueError("scale and pass_level belong to a rubric")
        if (self.pass_level or 1) > (self.scale or 5):
            raise ValueError("pass_level is higher than the scale")
        return self


def _criterion(value: Any) -> Any:
    return {"criterion": value} if isinstance(value, str) else value


class JudgeItem(JudgedItem):
    """A model judges the reply by a criterion or a rubric."""

    KEY: ClassVar[str] = "judge"

    judge: Annotated[Judge, BeforeValidator(_criterion, json_schema_input_type=str | Judge)]

    def label(self) -> str:
        """With what is judged."""
        return f"judge {self.judge.criterion or show((self.judge.rubric or '').splitlines()[0], 60)}"

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """One of the two."""
        asked = self.judge
        model, tokens = asked.model or "", asked.max_tokens
        if asked.criterion is not None:
            return Criterion(criterion=asked.criterion, model=model, max_tokens=tokens)
        levels = Levels(scale=asked.scale or 5, pass_level=asked.pass_level)
        return Rubric(rubric=asked.rubric or "", levels=levels, model=model, max_tokens=tokens)


FORMS = (JudgeItem,)
