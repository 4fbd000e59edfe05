"""`@check("key")`: functions of an author's module that a suite may name (S2-54, S2-55)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., Any])


class KeyMistakeError(Exception):
    """A function cannot be registered; the message says why."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A function under its key. `execution` is one run of its module: another one where the module was imported again."""

    function: Callable[..., Any]
    module: str
    name: str
    execution: Any

    def again(self, later: "Registered") -> bool:
        """Whether the later one stands in this one's place, as the same module imported anew.

        Modules that no import made (`__main__`, a console) have no execution to tell apart: there the name does it.
        """
        if self.module != later.module:
            return False
        return self.name == later.name if later.execution is None else self.execution is not later.execution


class Registry:
    """The checks of one process, by key."""

    def __init__(self) -> None:
        self.checks: dict[str, Registered] = {}

    def add(self, key: str, function: Callable[..., Any]) -> None:
        """Registers, or replaces what the same module registered when it was imported before.

        Raises:
            KeyMistakeError: another function has the key.
        """
        new = _registered(function)
        old = self.checks.get(key)
        if old is not None and old.function is not function and not old.again(new):
            raise KeyMistakeError(
                f"two functions have the key {key!r}: {old.module}.{old.name} and {new.module}.{new.name}"
            )
        self.checks[key] = new

    def forget(self, module: str) -> None:
        """Before a module is imported again: what it registers no more is gone."""
        self.checks = {key: one for key, one in self.checks.items() if one.module != module}


def _registered(function: Callable[..., Any]) -> Registered:
    """With where it stands. Objects that can be called stand where their class does."""
    found: Any = function if hasattr(function, "__qualname__") else type(function)
    execution = getattr(function, "__globals__", {}).get("__spec__")
    return Registered(function, found.__module__, found.__qualname__, execution)


REGISTRY = Registry()
"""Of this process."""


@overload
def check(key: str | None = None) -> Callable[[Function], Function]: ...
@overload
def check(key: Function) -> Function: ...
def check(key: Any = None) -> Any:
    """Registers a function as a check that a suite may name: `@check("no_apology")`, or `@check` for its own name.

    Of an evalstone file it is called with (sample, output), or with (sample, output, ctx) where it takes three. It returns
    a Score, true or false, or a number from 0 to 1.

    Raises:
        KeyMistakeError: the key is no text, a lambda has none, or another function has it.
    """
    if callable(key):
        return _register(None, key)
    if key is not None and not (isinstance(key, str) and key):
        raise KeyMistakeError("the key of a check must be a text")
    return lambda function: _register(key, function)


def _register(key: str | None, function: Any) -> Any:
    if not callable(function):
        raise KeyMistakeError("a check must be a function")
    name = key or getattr(function, "__name__", "<no name>")
    if name.startswith("<"):
        raise KeyMistakeError('a lambda, or an object without a name, needs a key: check("key")(...)')
    REGISTRY.add(name, function)
    return function
