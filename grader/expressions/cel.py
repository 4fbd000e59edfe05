"""CEL, through Google's own library (extra `cel`), which is imported when the first expression is compiled.

`compile_cel("output.id == 10", {"output": "dyn"}).evaluate({"output": {"id": 10}})` is True. None means that a variable
was not captured (UNKNOWN, or left out) and that the expression is not decided without it. An evaluation that goes wrong
raises EvaluationFailed: a missing field without has(), a comparison of unlike types, more than 10,000 steps.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal

from grader.expressions.bad_expression import BadExpression, readable
from grader.expressions.cel_data import Cleaned, clean
from grader.expressions.cel_growth import MAX_BYTES, MAX_ITERATIONS, Growth, growth, texts
from grader.expressions.comparing import UNKNOWN
from grader.nearest import nearest
from grader.outcome import Truth

__all__ = ["UNKNOWN", "BadExpression", "Bound", "CelExpression", "CelType", "EvaluationFailed", "bind", "compile_cel"]

MAX_CHARACTERS = 10_000

CelType = Literal["dyn", "bool", "int", "double", "string", "list", "list(string)", "map"]

FUNCTIONS = (
    *("has", "all", "exists", "exists_one", "map", "filter", "size", "contains", "startsWith", "endsWith", "matches"),
    *("string", "int", "uint", "double", "bool", "bytes", "dyn", "type", "timestamp", "duration"),
)
"""For the nearest name."""

_PLACE = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
_UNDECLARED = re.compile(r"undeclared reference to '([^']+)'")
_UNBOUND = re.compile(r'UNKNOWN: No value with name "([^"]+)" found in Activation')
_MATCHES = re.compile(r"\.\s*matches\s*\(\s*\Z")
_STATUS = re.compile(r"^[A-Z_]+: |\s*\[[A-Z_]+\]$")


class EvaluationFailed(Exception):  # noqa: N818 -- named as formats speak of it
    """An evaluation came to no answer; `reason` is for the check's sentence."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class _Environment:
    """Variables with their types, as the library wants them."""

    def __init__(self, variables: tuple[tuple[str, CelType], ...]) -> None:
        from cel_expr_python import cel  # noqa: PLC0415 -- 50 MB, for those who write CEL

        kind = cel.Type
        types: dict[CelType, Any] = {
            "dyn": kind.DYN,
            "bool": kind.BOOL,
            "int": kind.INT,
            "double": kind.DOUBLE,
            "string": kind.STRING,
            "list": kind.List(kind.DYN),
            "list(string)": kind.List(kind.STRING),
            "map": kind.Map(kind.STRING, kind.DYN),
        }
        self.variables = variables
        self.native = cel.NewEnv(variables={name: types[t] for name, t in variables})

    def compile(self, source: str) -> Any:
        return self.native.compile(source)

    def without(self, name: str) -> "_Environment":
        return _environment(tuple(v for v in self.variables if v[0] != name))


_environment = lru_cache(maxsize=64)(_Environment)


@dataclass(frozen=True, slots=True)
class Bound:
    """Values made ready once, for several expressions over the same variables."""

    variables: tuple[tuple[str, CelType], ...]
    data: Cleaned
    activation: Any


def bind(values: Mapping[str, Any], variables: Mapping[str, CelType]) -> Bound:
    """Makes values ready. What is UNKNOWN, holds UNKNOWN anywhere, or is left out counts as not captured."""
    key = tuple(variables.items())
    data = clean({name: values[name] for name in variables if name in values})
    return Bound(key, data, _environment(key).native.Activation(data.values))


@dataclass(frozen=True)
class CelExpression:
    """A compiled condition. `source` is its text; `names` the variables that it mentions."""

    source: str
    variables: tuple[tuple[str, CelType], ...]
    _compiled: Any = field(init=False, repr=False, compare=False)
    _growth: Growth = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", _compile(self.source, self.variables))
        object.__setattr__(self, "_growth", growth(self.source))

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables that it mentions: those without which it does not compile."""
        return frozenset(name for name, _ in self.variables if name in self.source and self._needs(name))

    def _needs(self, name: str) -> bool:
        try:
            _environment(self.variables).without(name).compile(self.source)
        except RuntimeError:
            return True
        return False

    def mentions(self, *names: str) -> bool:
        """Whether one of these variables occurs in it."""
        return not self.names.isdisjoint(names)

    def evaluate(self, values: Mapping[str, Any] | Bound) -> Truth:
        """Whether it holds; None where that hangs on a variable that was not captured.

        Raises:
            EvaluationFailed: it came to an error, or to something that is neither true nor false.
        """
        bound = values if isinstance(values, Bound) else self._bind(values)
        if self._growth.most(bound.data) > MAX_BYTES:
            raise EvaluationFailed("the expression could need too much memory over this run's data")
        try:
            result = self._compiled.eval(bound.activation)
            kind, found = result.type().name(), result.value()
        except (RuntimeError, ValueError, TypeError) as error:
            raise EvaluationFailed(_reason(str(error))) from None
        if kind == "BOOL":
            return bool(found)
        if kind != "ERROR":
            raise EvaluationFailed(f"the expression gave {kind.lower()}, neither true nor false")
        unbound = _UNBOUND.match(str(found))
        if unbound and unbound[1] not in bound.data.values:
            return None
        raise EvaluationFailed(_reason(str(found)))

    def _bind(self, values: Mapping[str, Any]) -> Bound:
        """Only what it mentions has to be made ready."""
        return bind({name: values[name] for name in self.names if name in values}, dict(self.variables))


def compile_cel(source: str, variables: Mapping[str, CelType]) -> CelExpression:
    """Reads an expression over these variables.

    Raises:
        BadExpression: it is no CEL, mentions something else, or cannot give a truth; with a caret under the place. Or
            the extra `cel` is not installed.
    """
    return CelExpression(source, tuple(variables.items()))


def _compile(source: str, variables: tuple[tuple[str, CelType], ...]) -> Any:
    readable(source, MAX_CHARACTERS)
    try:
        environment = _environment(variables)
        compiled = environment.compile(source)
    except ImportError:
        message = "CEL needs the extra “cel”: pip install 'tracegrade[cel]' (its library has no build for Alpine)"
        raise BadExpression(message, source) from None
    except (RuntimeError, ValueError, TypeError) as error:
        raise _refusal(str(error), source, [name for name, _ in variables]) from None
    kind = compiled.return_type().name()
    if kind not in ("BOOL", "DYN"):
        raise BadExpression(f"it gives {kind.lower()}; a condition gives true or false", source)
    _check_patterns(source, environment)
    return compiled


def _check_patterns(source: str, environment: _Environment) -> None:
    """A regular expression that is written out is tried now, not when the first run is graded."""
    for at, literal in texts(source):
        if _MATCHES.search(source, 0, at):
            result = environment.compile(f"''.matches({literal})").eval(environment.native.Activation({}))
            if result.type().name() == "ERROR":
                raise BadExpression(_STATUS.sub("", str(result.value())), source, at)


def _refusal(text: str, source: str, known: list[str]) -> BadExpression:
    """The library's first complaint that has a place, in our words where it is a common one."""
    for line, column, message in _PLACE.findall(text):
        lines = source.split("\n")[: int(line) - 1]
        offset = sum(len(one) + 1 for one in lines) + int(column) - 1
        undeclared = _UNDECLARED.search(message)
        if undeclared:
            offset = _start(source, offset, undeclared[1])
            called = source[offset + len(undeclared[1]) :].lstrip().startswith("(")
            said = _unknown_function(undeclared[1]) if called else _unknown(undeclared[1].split(".")[0], known)
            return BadExpression(said, source, offset)
        said = _STATUS.sub("", message).split(" expecting ")[0].replace("'<EOF>'", "the end")
        return BadExpression(said, source, offset)
    if "recursion" in text:
        return BadExpression("it is nested too deep", source)
    return BadExpression(_STATUS.sub("", text), source)


def _start(source: str, offset: int, name: str) -> int:
    """The library points at the last dot of an unknown `a.b`; its beginning is meant."""
    found = source.rfind(name, 0, offset + len(name))
    return found if found >= 0 else offset


def _unknown(name: str, known: list[str]) -> str:
    return f"unknown name {name!r}{nearest(name, [*known, *FUNCTIONS])}; known are {', '.join(known)}"


def _unknown_function(name: str) -> str:
    return f"unknown function {name!r}{nearest(name, FUNCTIONS)}; known are {', '.join(FUNCTIONS)}"


def _reason(text: str) -> str:
    if "Iteration budget" in text:
        return f"the expression takes more than {MAX_ITERATIONS:,} steps over this run's data"
    return f"the expression could not be evaluated: {_STATUS.sub('', text)}"
