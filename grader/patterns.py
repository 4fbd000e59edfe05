"""What a value may be: a literal, or an operator marked with `$`. Each answers True, False, or None where it cannot know.

Numbers are equal by value (50 == 50.0); booleans never equal numbers, which Python itself would have them do.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

import orjson

from collector import tree
from grader.expressions import regexes
from grader.names import Named
from grader.outcome import Truth, either, every


@dataclass(slots=True)
class Past:
    """What happened before the call whose arguments are looked at, for `$from`: of `calls` those before position `until`."""

    calls: Sequence[tree.ToolCall] = ()
    complete: bool = True
    until: int | None = None

    def earlier(self, tool: str) -> list[tree.ToolCall]:
        """The calls of that tool."""
        return [call for call in islice(self.calls, self.until) if tool in (call.name, call.qualified)]


NOTHING_BEFORE = Past()


class Pattern(Protocol):
    """Something that a value may match."""

    def match(self, value: Any, past: Past) -> Truth:
        """Whether the value is such; None where the evidence does not tell."""
        ...

    def tell(self) -> str:
        """For a sentence: "50", "between 0 and 50"."""
        ...


def equal(left: Any, right: Any) -> bool:
    """Structured equality: numbers by value, booleans and null only with their like, lists in order, objects by key."""
    if isinstance(left, str):
        return left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(v, right[k]) for k, v in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(equal(a, b) for a, b in zip(left, right, strict=True))
    return left == right


def canonical(value: Any) -> bytes:
    """Equal for equal values: 50 and 50.0 alike, the order of keys irrelevant; null is like {} (arguments of a call)."""
    plain = _by_value({} if value is None else value)
    return orjson.dumps(plain, default=str, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)


def _by_value(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {k: _by_value(v) for k, v in value.items()}
    return [_by_value(v) for v in value] if isinstance(value, list) else value


def show(value: Any, limit: int = 120) -> str:
    """A value as a person writes it, shortened; keys are sorted, so that a sentence hangs on no order of keys."""
    text = value if isinstance(value, str) else orjson.dumps(value, default=str, option=_SHOWN).decode()
    return text if len(text) <= limit else text[: limit - 1] + "…"


_SHOWN = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS


def is_number(value: Any) -> bool:
    """A finite number; a boolean is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True, slots=True)
class Literal:
    """Exactly this value."""

    value: Any

    def match(self, value: Any, past: Past) -> Truth:  # noqa: ARG002
        return equal(value, self.value)

    def tell(self) -> str:
        return show(self.value)


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `low` to `high`, both included."""

    low: float
    high: float

    def match(self, value: Any, past: Past) -> Truth:  # noqa: ARG002
        return is_number(value) and self.low <= value <= self.high

    def tell(self) -> str:
        return f"between {show(self.low)} and {show(self.high)}"


@dataclass(frozen=True, slots=True)
class Near:
    """A number within `abs` of `value`, or within the share `rel` of the larger of the two."""

    value: float
    abs: float = 0.0
    rel: float = 0.0

    def match(self, value: Any, past: Past) -> Truth:  # noqa: ARG002
        return is_number(value) and math.isclose(value, self.value, rel_tol=self.rel, abs_tol=self.abs)

    def tell(self) -> str:
        return f"near {show(self.value)}"


@dataclass(frozen=True, slots=True)
class Regex:
    """A text in which the regular expression is found anywhere."""

    pattern: str
    compiled: regexes.Regex = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", regexes.compile_regex(self.pattern))

    def match(self, value: Any, past: Past) -> Truth:  # noqa: ARG002
        return isinstance(value, str) and self.compiled.search(value) is not None

    def tell(self) -> str:
        return f"text matching /{self.pattern}/"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of these."""

    options: tuple[Pattern, ...]

    def match(self, value: Any, past: Past) -> Truth:
        return either(o.match(value, past) for o in self.options)

    def tell(self) -> str:
        return "one of " + ", ".join(o.tell() for o in self.options)


@dataclass(frozen=True, slots=True)
class AllOf:
    """Several operators on one value."""

    parts: tuple[Pattern, ...]

    def match(self, value: Any, past: Past) -> Truth:
        return every(p.match(value, past) for p in self.parts)

    def tell(self) -> str:
        return " and ".join(p.tell() for p in self.parts)


@dataclass(frozen=True, slots=True)
class From:
    """The value at a path in the result of some earlier call of that tool."""

    tool: str
    path: tuple[str, ...]

    def mentioned(self) -> Iterable[Named]:
        """The tool."""
        return (Named("tool", self.tool, "qualified"),)

    def match(self, value: Any, past: Past) -> Truth:
        answers = [self._same(value, call) for call in past.earlier(self.tool)]
        return either(answers if past.complete else [*answers, None])

    def _same(self, value: Any, call: tree.ToolCall) -> Truth:
        if call.result_capture in ("absent", "malformed"):
            return None
        found, there = dig(call.result, self.path)
        same = there and equal(value, found)
        return same or (False if call.result_capture == "present" else None)

    def tell(self) -> str:
        return f"the {'.'.join(self.path) or 'result'} that an earlier {self.tool} returned"


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with these fields; `closed` allows no others."""

    fields: tuple[tuple[str, Pattern], ...]
    closed: bool = True

    def match(self, value: Any, past: Past) -> Truth:
        if not isinstance(value, dict):
            return not self.fields if value is None else False
        if self.closed and len(value) != len(self.fields):
            return False
        answer: Truth = True
        for name, pattern in self.fields:
            found = pattern.match(value[name], past) if name in value else False
            if found is False:
                return False
            if found is None:
                answer = None
        return answer

    def tell(self) -> str:
        return ", ".join(f"{k} {p.tell()}" for k, p in self.fields) or "nothing"


@dataclass(frozen=True, slots=True)
class Items:
    """A list of exactly these, in this order."""

    items: tuple[Pattern, ...]

    def match(self, value: Any, past: Past) -> Truth:
        if not isinstance(value, list) or len(value) != len(self.items):
            return False
        return every(p.match(v, past) for p, v in zip(self.items, value, strict=True))

    def tell(self) -> str:
        return f"[{', '.join(p.tell() for p in self.items)}]"


def dig(value: Any, path: Sequence[str]) -> tuple[Any, bool]:
    """The value at a path of field names and list positions, and whether it is there."""
    for step in path:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.lstrip("-").isdecimal() and -len(value) <= int(step) < len(value):
            value = value[int(step)]
        else:
            return None, False
    return value, True
