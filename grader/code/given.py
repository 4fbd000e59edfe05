"""What functions are given, and which of it a function takes."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.tree import Run


@dataclass(slots=True)
class Sample:
    """A line of a dataset."""

    id: str
    input: Any = None
    expected: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Output:
    """A run's reply: as text (S2-58), and as a value, which is an object or a list where the text is one.

    `metadata` are the attributes of the run.
    """

    text: str
    value: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Context:
    """The whole run, and the facts of the fixture on which it worked (None where nobody gave or recorded any)."""

    run: Run
    context: Any = None


class CannotBeCalledError(Exception):
    """A function cannot be called with what a check is given; the message says why."""


NAMES = ("run", "reply", "context")
"""What a function of a native suite takes, each by its name."""

_PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def takes_context(function: Callable[..., Any]) -> bool:
    """Whether it takes (sample, output, ctx): a third place that must be filled, or that is called `ctx`.

    Raises:
        CannotBeCalledError: it takes neither that nor (sample, output).
    """
    parameters = _parameters(function)
    if parameters is None:
        return False
    placed = [p for p in parameters.values() if p.kind in _PLACED]
    third = placed[2] if len(placed) > 2 else None  # noqa: PLR2004  after sample and output
    with_context = third is not None and (third.default is third.empty or third.name == "ctx")
    given = ("sample", "output", "ctx") if with_context else ("sample", "output")
    try:
        inspect.Signature(list(parameters.values())).bind(*given)
    except TypeError:
        raise CannotBeCalledError("must take (sample, output), or (sample, output, ctx)") from None
    return with_context


def wanted(function: Callable[..., Any]) -> tuple[str, ...]:
    """Which of `run`, `reply` and `context` it takes.

    Raises:
        CannotBeCalledError: it takes none of them, or must be given something else.
    """
    parameters = _parameters(function) or {}
    found = tuple(name for name in NAMES if name in parameters and parameters[name].kind in _NAMED)
    try:
        inspect.Signature(list(parameters.values())).bind(**dict.fromkeys(found))
    except TypeError:
        found = ()
    if not found:
        raise CannotBeCalledError("must take one or more of run, reply and context, by these names, and nothing else")
    return found


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter] | None:
    """None where a function written in C does not tell."""
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise CannotBeCalledError("must be a plain function: it is async, or a generator")
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
