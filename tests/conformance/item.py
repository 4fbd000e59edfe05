"""An item of the checklist, and what came of it at one endpoint."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

Level = Literal["MUST", "SHOULD", "MAY", "J"]
"""What OTLP's text demands; J is a judgement: OTLP leaves it open, and data is lost where it is done otherwise."""

Way = Literal["http", "json", "grpc"]
"""OTLP/HTTP with protobuf, OTLP/HTTP with JSON, OTLP/gRPC."""

Outcome = Literal["pass", "fail", "not observable"]

EVERY: tuple[Way, ...] = ("http", "json", "grpc")
BOTH: tuple[Way, ...] = ("http", "grpc")
HTTP: tuple[Way, ...] = ("http", "json")
ONE_HTTP: tuple[Way, ...] = ("http",)
JSON: tuple[Way, ...] = ("json",)
GRPC: tuple[Way, ...] = ("grpc",)


class Failed(AssertionError):  # noqa: N818 -- the endpoint's fault, named as an outcome
    """The endpoint does otherwise. The text says what it did."""


class Unseen(Exception):  # noqa: N818 -- not a fault
    """It cannot be seen from outside. The text says what would be needed."""


class Endpoint(Protocol):
    """What an item is asked of (`target.Target`); here only so that items and endpoints need not know each other."""

    grpc: str | None


@dataclass(frozen=True, slots=True)
class Item:
    """One item: its number, its level, what is demanded, and how it is looked at. `long`: in the long form alone."""

    number: str
    level: Level
    text: str
    ways: tuple[Way, ...]
    look: Callable[..., None]
    long: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What came of an item on one way; `why` is one line, empty for a plain pass."""

    item: Item
    way: Way
    outcome: Outcome
    why: str = ""

    @property
    def bad(self) -> bool:
        """Whether the endpoint breaks what is demanded: a MUST or a SHOULD that failed."""
        return self.outcome == "fail" and self.item.level in {"MUST", "SHOULD"}


ITEMS: list[Item] = []
"""All items, in the order of their files."""


def item(
    number: str, level: Level, ways: tuple[Way, ...] = EVERY, *, long: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a function an item: it is given a Target and a way, and raises Failed or Unseen. Its docstring is the demand."""

    def add(look: Callable[..., None]) -> Callable[..., None]:
        ITEMS.append(Item(number, level, " ".join((look.__doc__ or "").split()), ways, look, long))
        return look

    return add


def need(true: object, what: str) -> None:
    """Raise Failed with what the endpoint did, unless it is so."""
    if not true:
        raise Failed(what)


def result(asked: Item, way: Way, of: Endpoint) -> Result:
    """Look at one item. Whatever goes wrong on the way is a failure with one line, since the endpoint made it go wrong."""
    if way == "grpc" and of.grpc is None:
        return Result(asked, way, "not observable", "no gRPC address was given")
    try:
        asked.look(of, way)
    except Unseen as reason:
        return Result(asked, way, "not observable", str(reason))
    except Exception as problem:  # noqa: BLE001 -- refused, reset, no answer, an answer that cannot be read
        line = " ".join(str(problem).split())[:200]
        return Result(asked, way, "fail", line if isinstance(problem, Failed) else f"{type(problem).__name__}: {line}")
    return Result(asked, way, "pass")
