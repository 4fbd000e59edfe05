"""Attributes of which rules of the store took whole values out, and which of these a reader wanted.

Code of a dialect may ask such an attribute for anything: words, a name, how far a graph went. So it is noted what it asked for
and did not hand on as a fact that says of itself that it was taken out: then nobody knows what else the span would have told.
"""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from collector.normalize.values import REDACTION, hidden

LEFT_OUT = f"{REDACTION}left-out]"
"""Stands for an attribute that a rule of the store left out; every reader knows it for no value."""


class Mark(str):  # noqa: SLOT000 -- no slots beside a text of any length
    """The mark that stands in one value's place; `told` once a fact was told with it, `words` once it was read as messages."""

    told = False
    words = False


class Missed(NamedTuple):
    """Attributes that were wanted: as messages, or for whatever else."""

    words: frozenset[object] = frozenset()
    more: frozenset[object] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.words or self.more)

    def plus(self, other: "Missed") -> "Missed":
        """Both together."""
        return Missed(self.words | other.words, self.more | other.more)


NOTHING = Missed()


class Taken(dict[str, Any]):
    """Attributes, some of them marks; `asked` are the marks that somebody read by name."""

    def __init__(self, held: dict[str, Any]) -> None:
        super().__init__(held)
        self.asked: dict[object, Mark] = {}

    def __getitem__(self, key: str) -> Any:
        return self._noted(key, super().__getitem__(key))

    def get(self, key: object, default: Any = None, /) -> Any:
        """As of any dictionary."""
        return self._noted(key, super().get(key, default))

    def _noted(self, key: object, value: Any) -> Any:
        if isinstance(value, Mark):
            self.asked[key] = value
        return value


def taken(held: dict[str, Any], keys: Collection[str], found: list[Taken]) -> dict[str, Any]:
    """The attributes with a mark for each of `keys` that holds no more than one, or nothing: then they are in `found`, too."""
    whole = {key: value for key in keys if _whole(value := held.get(key, LEFT_OUT))}
    if not whole:
        return held
    found.append(Taken({**held, **{key: Mark(value) for key, value in whole.items()}}))
    return found[-1]


def _whole(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(REDACTION) and hidden(value)


def begin(every: Iterable[Taken]) -> None:
    """A reader begins: nothing was asked for or told by it."""
    for held in every:
        for mark in held.asked.values():
            mark.told = mark.words = False
        held.asked.clear()


def missed(every: Iterable[Taken]) -> Missed:
    """What the reader asked for and told nothing with."""
    asked = [(key, mark.words) for held in every for key, mark in held.asked.items() if not mark.told]
    return Missed(frozenset(k for k, words in asked if words), frozenset(k for k, words in asked if not words))
