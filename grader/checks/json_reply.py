"""`json`: what the final answer holds where it is JSON. A reply that is no JSON fails; one that was not captured is unknown."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import orjson
from pydantic import Field, field_validator, model_validator

from grader.conforming import Conforming, check_schema
from grader.forms import Defaults, Form, Item, Raw
from grader.operators import read_pattern
from grader.outcome import Finding, Truth
from grader.patterns import NOTHING_BEFORE, Near, Pattern, dig, show
from grader.scene import Primitive, Scene

_EMPTY: tuple[Any, ...] = (None, "", [], {})


def parsed(reply: Any) -> tuple[Any, bool]:
    """The reply as a JSON value, and whether it is one (NaN and Infinity are none; structured replies are as they stand)."""
    if not isinstance(reply, str):
        return reply, True
    try:
        return orjson.loads(reply), True
    except orjson.JSONDecodeError:
        return None, False


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """The value at `path` matches a pattern."""

    path: tuple[str, ...]
    pattern: Pattern

    def decide(self, scene: Scene) -> Finding:
        """The miss shows what stands there."""
        return _at(scene, self.path, self._judge)

    def _judge(self, value: Any) -> tuple[Truth, str]:
        return self.pattern.match(value, NOTHING_BEFORE), f"is {show(value)}; expected {self.pattern.tell()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NonEmpty:
    """The value at `path` is there and not null, "", [] or {}; 0 and false are values."""

    path: tuple[str, ...]

    def decide(self, scene: Scene) -> Finding:
        """A missing path is empty."""
        return _at(scene, self.path, self._judge)

    def _judge(self, value: Any) -> tuple[Truth, str]:
        empty = any(type(value) is type(e) and value == e for e in _EMPTY)
        return not empty, f"is {show(value)}; expected something"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conforms:
    """The value at `path` conforms to a JSON Schema."""

    path: tuple[str, ...]
    schema: Any
    compiled: Conforming = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", Conforming(self.schema))

    def decide(self, scene: Scene) -> Finding:
        """The first error in document order is told."""
        return _at(scene, self.path, self._judge)

    def _judge(self, value: Any) -> tuple[Truth, str]:
        miss = self.compiled.miss(value)
        return (False, f"does not conform: {miss}") if miss else (True, "conforms to the schema")


def _at(scene: Scene, path: tuple[str, ...], judge: Any) -> Finding:
    """The common way to the value; a reply that was cut or not captured leaves everything open."""
    spans = scene.job.spans[:1]
    name = ".".join(path) or "the reply"
    if scene.capture("reply", "job") != "present":
        return Finding(None, f"{name} is not known: {scene.lack('reply', 'job')}", spans)
    value, is_json = parsed(scene.job.reply)
    if not is_json:
        return Finding(False, "the reply is not JSON", spans)
    value, there = dig(value, path)
    if not there:
        return Finding(False, f"the reply has no {name}", spans)
    truth, rest = judge(value)
    return Finding(truth, f"{name} {rest}", spans)


class JsonDemand(Form):
    """One demand on the value at `path` (without a path: on the whole reply)."""

    path: str | None = Field(default=None, description="Dotted; list positions are numbers.")
    equals: Raw = Field(default=None, description="This value, or an operator.")
    schema_: dict[str, Any] | bool | None = Field(default=None, alias="schema", description="A JSON Schema.")
    near: int | float | None = Field(default=None, description="A number within abs or rel of this one.")
    abs: int | float | None = Field(default=None, ge=0)
    rel: int | float | None = Field(default=None, ge=0)
    nonempty: Literal[True] | None = Field(default=None, description="true: there, and not null or empty.")

    @field_validator("near", "abs", "rel")
    @classmethod
    def _finite(cls, value: float | None) -> float | None:
        if value is not None and not math.isfinite(value):
            raise ValueError("must be a finite number")
        return value

    @model_validator(mode="after")
    def _one(self) -> "JsonDemand":
        said = self.model_fields_set & {"equals", "schema_", "near", "nonempty"}
        if len(said) != 1:
            raise ValueError("say exactly one of equals, schema, near, nonempty")
        if ("near" in said) != bool(self.model_fields_set & {"abs", "rel"}):
            raise ValueError("near needs abs or rel, and these need near")
        if isinstance(self.schema_, dict):
            check_schema(self.schema_)
        return self

    def primitive(self) -> Primitive:
        """The one that was said."""
        path = tuple(self.path.split(".")) if self.path else ()
        if self.nonempty:
            return NonEmpty(path=path)
        if self.schema_ is not None:
            return Conforms(path=path, schema=self.schema_)
        if self.near is not None:
            return Matches(path=path, pattern=Near(self.near, self.abs or 0.0, self.rel or 0.0))
        return Matches(path=path, pattern=read_pattern(self.equals))


class Json(Item):
    """What the final answer holds, where it is JSON."""

    KEY: ClassVar[str] = "json"

    json_: JsonDemand = Field(alias="json")

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """The demand's primitive."""
        return self.json_.primitive()

    def label(self) -> str:
        """With the path."""
        return f"json {self.json_.path}" if self.json_.path else "json"


FORMS = (Json,)
