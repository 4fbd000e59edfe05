"""`judge`, `rag`, `safety`, `compare`, `human`, `python`: checks that need a judge, a label or the author's code.

They load, are validated and shown, and are not graded yet: a case that asks for one cannot pass, unless it is minor.
"""

from typing import Annotated, Any, ClassVar, Literal

import orjson
from pydantic import BeforeValidator, Field, model_validator

from grader.forms import Defaults, Form, Item, Text
from grader.outcome import Policy, Unknown
from grader.scene import Primitive
from grader.ungraded import Ungraded

PII = Literal["email", "phone", "card", "ssn", "ipv4"]
Level = Annotated[int, Field(ge=1)]


class _Judged(Item):
    """A check that nothing here can grade yet."""

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """Undecided, with all that was asked as its text."""
        asked = getattr(self, self.KEY)
        said = asked if isinstance(asked, str) else orjson.dumps(_said(asked), option=orjson.OPT_SORT_KEYS).decode()
        return Ungraded(text=f"{self.KEY}: {said}", why="is not graded yet")

    def policy(self, unknown: Unknown) -> Policy:  # noqa: ARG002
        """Not graded, unless the check itself says what that is."""
        return self.unknown or "not_graded"

    def notice(self) -> str | None:
        """Said with every grading."""
        return f"`{self.KEY}` is not graded yet"


def _said(asked: Form) -> dict[str, Any]:
    return asked.model_dump(exclude_none=True)


class Judge(Form):
    """A criterion, or a rubric with a scale."""

    criterion: Text | None = Field(default=None, description="What must be true of the reply.")
    rubric: Text | None = Field(default=None, description="A file that describes the levels.")
    scale: Annotated[int, Field(ge=2)] | None = Field(default=None, description="Levels from 1 up; default 5.")
    pass_level: Level | None = Field(default=None, description="The lowest level that passes.")

    @model_validator(mode="after")
    def _one(self) -> "Judge":
        if (self.criterion is None) == (self.rubric is None):
            raise ValueError("say a criterion or a rubric")
        if self.rubric is None and (self.scale is not None or self.pass_level is not None):
            raise ValueError("scale and pass_level belong to a rubric")
        if (self.pass_level or 1) > (self.scale or 5):
            raise ValueError("pass_level is higher than the scale")
        return self


class Safety(Form):
    """What must not be in a reply, and whether it must refuse."""

    no_pii: Annotated[list[PII], Field(min_length=1)] | None = Field(
        default=None, description="Kinds that must not occur."
    )
    refusal: bool | None = Field(default=None, description="true: must refuse; false: must not.")

    @model_validator(mode="after")
    def _some(self) -> "Safety":
        if self.no_pii is None and self.refusal is None:
            raise ValueError("say no_pii, refusal or both")
        return self


class Compare(Form):
    """A release to compare with, and by what."""

    baseline: Text = Field(description="The release, or the batch, to compare with.")
    rubric: Text = Field(description="A file that says what is better.")


def _criterion(value: Any) -> Any:
    return {"criterion": value} if isinstance(value, str) else value


class JudgeItem(_Judged):
    """A model judges the reply by a criterion or a rubric."""

    KEY: ClassVar[str] = "judge"

    judge: Annotated[Judge, BeforeValidator(_criterion, json_schema_input_type=str | Judge)]

    def label(self) -> str:
        """With what is judged."""
        return f"judge {self.judge.criterion or self.judge.rubric}"


class RagItem(_Judged):
    """A model judges the reply against what was retrieved."""

    KEY: ClassVar[str] = "rag"

    rag: Literal["faithfulness", "context_relevance", "answer_relevance"]


class SafetyItem(_Judged):
    """The reply holds no personal data, and refuses or does not."""

    KEY: ClassVar[str] = "safety"

    safety: Safety


class CompareItem(_Judged):
    """A model compares the reply with that of a baseline."""

    KEY: ClassVar[str] = "compare"

    compare: Compare


class HumanItem(_Judged):
    """A person's label of that name passes the reply."""

    KEY: ClassVar[str] = "human"

    human: Text


class PythonItem(_Judged):
    """A function of the author's own decides."""

    KEY: ClassVar[str] = "python"

    python: Annotated[Text, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$", description="module.function")]


FORMS = (JudgeItem, RagItem, SafetyItem, CompareItem, HumanItem, PythonItem)
