"""How a check is written in the native suite: the pydantic models that every check file builds its own on.

A form holds what the author wrote, and compiles to a primitive, which alone decides. Strict types: `"5"` is no number.
"""

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from grader.code.process import CodeProcess
from grader.operators import nearest, read_pattern
from grader.outcome import Policy, Severity, Unknown
from grader.patterns import Fields
from grader.scene import Primitive, Scope
from grader.wanted import STATES, State, Wanted


class Form(BaseModel):
    """Anything written in a suite file: unknown keys are errors, types are strict."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Defaults(Form):
    """What holds where a check says nothing else."""

    scope: Scope = "tree"
    state: State = "attempted"
    severity: Severity = "critical"


class Item(Form):
    """One entry of `expect`: exactly one check key and its siblings. Subclasses set KEY and compile to a primitive."""

    KEY: ClassVar[str] = ""
    GRADED: ClassVar[bool] = True
    """False: it is listed for people, and what holds it must not wait for its answer."""
    SPARED: ClassVar[bool] = False
    """Whether a short circuit spares it, since asking costs something."""

    name: str | None = Field(default=None, description="What the report calls this check.")
    severity: Severity | None = Field(default=None, description="critical fails the case; minor only lowers its score.")
    scope: Scope | None = Field(
        default=None, description="tree: the job with all below it; job: its own evidence alone."
    )
    unknown: Unknown | None = Field(default=None, description="What it means when the evidence cannot decide.")

    @abstractmethod
    def compile(self, defaults: Defaults) -> Primitive:
        """The primitive with every parameter explicit."""

    def policy(self, unknown: Unknown) -> Policy:
        """What None becomes: as written here, else as the suite says."""
        return self.unknown or unknown

    def weight(self, severity: Severity) -> Severity:
        """The severity as written here, else as the suite says."""
        return self.severity or severity

    def label(self) -> str:
        """What the report calls this check where it has no name."""
        value = getattr(self, self.KEY, None)
        return f"{self.KEY} {value}" if isinstance(value, str) else self.KEY

    def notice(self) -> str | None:
        """What a person must know who reads the results: what of it is not checked."""
        return None

    def children(self) -> "tuple[Item, ...]":
        """Nested items, for checks that hold others."""
        return ()


class CallItem(Item):
    """A check about tool calls."""

    state: State | None = Field(default=None, description="Which call states count; default attempted.")

    def wanted(self, defaults: Defaults, tool: str, arguments: Fields | None = None) -> Wanted:
        """The calls that are meant, in the native reading of names and states."""
        return Wanted(tool=tool, names="qualified", states=STATES[self.state or defaults.state], arguments=arguments)


class Range(Form):
    """A number of times, both ends included."""

    min: int | None = Field(default=None, ge=0)
    max: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _some(self) -> "Range":
        if self.min is None and self.max is None:
            raise ValueError("say min, max or both")
        if self.min is not None and self.max is not None and self.max < self.min:
            raise ValueError("max is smaller than min")
        return self


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _ranged(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return {"min": value, "max": value}
    if not isinstance(value, dict | Range):
        raise ValueError("must be a whole number, or { min, max }")  # noqa: TRY004  pydantic gathers ValueErrors
    return value


def _pattern(value: Any) -> Any:
    read_pattern(value)
    return value


def _entry(value: Any) -> Any:
    return {"tool": value} if isinstance(value, str) else value


Text = Annotated[str, Field(min_length=1)]
Texts = Annotated[list[Text], BeforeValidator(_listed, json_schema_input_type=str | list[str]), Field(min_length=1)]
"""A text or a list of texts."""

Times = Annotated[Range, BeforeValidator(_ranged, json_schema_input_type=int | Range)]
"""A count, or {min, max}."""

Raw = Annotated[
    Any, AfterValidator(_pattern), WithJsonSchema({"description": "A literal, or an operator marked with $."})
]
"""A literal or an operator, checked at load; `read_pattern` makes the pattern of it."""


class Entry(Form):
    """A tool, and with which arguments."""

    tool: Text
    with_: dict[str, Raw] | None = Field(default=None, alias="with")


Entries = Annotated[
    list[Annotated[Entry, BeforeValidator(_entry, json_schema_input_type=str | Entry)]], Field(min_length=1)
]
"""Names, or {tool, with}."""


def open_fields(raw: dict[str, Any] | None) -> Fields | None:
    """`with`: these arguments, others are free."""
    return None if raw is None else Fields(tuple((k, read_pattern(raw[k])) for k in sorted(raw)), closed=False)


def closed_fields(raw: dict[str, Any] | None) -> Fields | None:
    """`with_exactly`: these arguments and no others."""
    return None if raw is None else Fields(tuple((k, read_pattern(raw[k])) for k in sorted(raw)), closed=True)


def one_of(name: str, known: tuple[str, ...]) -> str:
    """The name, where it is known.

    Raises:
        ValueError: it is not; the message has the nearest.
    """
    if name not in known:
        raise ValueError(f"{name!r} is not known{nearest(name, known)}; known are {', '.join(known)}")
    return name


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a suite while it is read (the context of pydantic): its folder, and the process that may run code.

    `code` None: no code of the author's may run.
    """

    folder: Path
    code: CodeProcess | None = None


def code_of(around: Any) -> CodeProcess | None:
    """The process of the author's functions; None where no code may run."""
    return around.code if isinstance(around, Around) else None


def beside(name: str, around: Any) -> str:
    """The text of a file that a suite names, beside the suite (`around`: the pydantic context; None is the current folder).

    Raises:
        ValueError: there is no such file, or it is no text.
    """
    path = (around.folder if isinstance(around, Around) else Path()) / name
    try:
        return path.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise ValueError(f"{name} is not a text file in UTF-8") from None
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}") from None


Match = Literal["exact", "contains", "name"]
