"""Case files of other tools: JSON read strictly or YAML as PyYAML reads it, and how a format takes a mapping apart.

A format asks a `Fields` for each key that it knows; a key that nobody asked for is a mistake with the nearest name
(`close`), or a notice where it is the live runner's business (`rest`). Mistakes gather in the `Sheet`; `done` raises them.
"""

import datetime as dt
import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from grader.operators import nearest
from grader.syntax import json_lines, yaml12
from grader.syntax.mistakes import Mistake, SuiteError
from grader.syntax.yaml11 import pyyaml
from grader.syntax.yaml12 import Document, Where, dotted

T = TypeVar("T")


def parse(path: str | Path, text: str) -> Document:
    """The document. What begins like JSON is read as JSON, and as YAML where it is none (unless the file is called JSON)."""
    text = text.removeprefix("\ufeff")
    called_json = str(path).endswith(".json")
    if called_json or text.lstrip()[:1] in ("{", "["):
        document = json_lines.read(path, text)
        if called_json or document.value is not None:
            return _sound(path, document)
    return _sound(path, yaml12.read(path, text, pyyaml, merging=True))


@lru_cache(maxsize=8)
def glance(text: str) -> Any:
    """The file's value, mistakes or not, for recognising its format; None where it cannot be read. Never change it."""
    return parse("", text).value


def kind_of(value: Any) -> str:
    """For a message: what a value is."""
    if isinstance(value, dt.date):
        return "a date (quote it to make it a text)"
    if isinstance(value, str):
        return "empty" if not value else "a text"
    if isinstance(value, float) and not math.isfinite(value):
        return "no finite number"
    names = {bool: "a boolean", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return names.get(type(value), "null")


class Sheet:
    """A file that is being read: its document, and the mistakes and notices found so far."""

    def __init__(self, path: str | Path, text: str) -> None:
        self.path = str(path)
        self.document = parse(path, text)
        self.mistakes: list[Mistake] = list(self.document.mistakes)
        self.notices: list[str] = []
        if self.document.value is None:
            self.done()

    def wrong(self, where: Where, message: str) -> None:
        """Notes a mistake at a place."""
        self.mistakes.append(Mistake(self.path, self.document.line(where), dotted(where), message))

    def fields(self, where: Where = (), value: Any = None) -> "Fields":
        """The mapping at a place (`value`; at the top: the whole file); a mistake where it is none."""
        found = self.document.value if value is None and not where else value
        if isinstance(found, dict):
            return Fields(self, where, found)
        self.wrong(where, f"must be a mapping of keys to values, is {kind_of(found)}")
        return Fields(self, where, {}, broken=True)

    def done(self) -> None:
        """The end of reading.

        Raises:
            SuiteError: with every mistake, where there are any.
        """
        if not self.mistakes and self.document.value is None:
            self.wrong((), "the file is empty")
        if self.mistakes:
            raise SuiteError(self.mistakes)


class Fields:
    """A mapping that a format takes apart, key by key. What is wrong is noted, and reading goes on with a stand-in.

    `broken`: the place holds no mapping at all, which is told already, so that nothing else about it is.
    """

    def __init__(self, sheet: Sheet, where: Where, values: dict[str, Any], *, broken: bool = False) -> None:
        self.sheet = sheet
        self.where = where
        self.values = values
        self.broken = broken
        self.asked: list[str] = []

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.sheet.document.line(self.where)

    def has(self, key: str) -> bool:
        """Whether the key stands here and is not null."""
        self._ask(key)
        return self.values.get(key) is not None

    def wrong(self, key: str | None, message: str) -> None:
        """Notes a mistake at a key, or about the mapping as a whole."""
        if not self.broken:
            self.sheet.wrong(self.where if key is None else (*self.where, key), message)

    def text(self, key: str) -> str:
        """A text that must be there and not be empty."""
        return self._need(key, "") if not self.has(key) else self._text(key, "", empty=False)

    def text_or(self, key: str, default: T, *, empty: bool = False) -> str | T:
        """A text, or the default where the key is missing."""
        return default if not self.has(key) else self._text(key, default, empty=empty)

    def id_or(self, key: str, default: T) -> str | T:
        """A text, or a whole number as its text."""
        value = self.values.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            self._ask(key)
            return str(value)
        return self.text_or(key, default)

    def number_or(self, key: str, default: T, least: float = -math.inf, most: float = math.inf) -> float | T:
        """A finite number within bounds (a boolean is none)."""
        return default if not self.has(key) else self._number(key, default, least, most)

    def whole_or(self, key: str, default: T, least: float = -math.inf, most: float = math.inf) -> int | T:
        """A whole number within bounds (5.0 is none)."""
        if not self.has(key):
            return default
        if isinstance(self.values[key], float):
            self.wrong(key, "must be a whole number")
            return default
        found = self._number(key, default, least, most)
        return found if isinstance(found, int) else default

    def truth_or(self, key: str, default: T) -> bool | T:
        """A boolean."""
        if not self.has(key):
            return default
        if not isinstance(self.values[key], bool):
            self._not(key, "true or false")
            return default
        return self.values[key]

    def one_of(self, key: str, options: Sequence[str], default: str | None = None) -> str:
        """One of these texts; without a default it must be there. The first option stands in for a wrong one."""
        stand_in = options[0] if default is None else default
        if not self.has(key):
            return stand_in if default is not None else self._need(key, stand_in)
        value = self.values[key]
        if value in options:
            return str(value)
        found = f"{value!r}" if isinstance(value, str) else kind_of(value)
        near = nearest(value, list(options)) if isinstance(value, str) else ""
        self.wrong(key, f"must be one of {', '.join(options)}; is {found}{near}")
        return stand_in

    def texts(self, key: str, *, single: bool = False, least: int = 0) -> list[str]:
        """A list of texts that are not empty, at least so many; `single`: one text stands for a list of it."""
        if not self.has(key):
            return self._need(key, []) if least else []
        value = self.values[key]
        if single and isinstance(value, str):
            value = [value]
        if not isinstance(value, list):
            self._not(key, "a text or a list of texts" if single else "a list of texts")
            return []
        if len(value) < least:
            self.wrong(key, f"must have at least {least} {'entry' if least == 1 else 'entries'}")
        for number, item in enumerate(value):
            if not isinstance(item, str) or not item:
                self.sheet.wrong((*self.where, key, number), f"must be a text, is {kind_of(item)}")
        return [item for item in value if isinstance(item, str) and item]

    def raw(self, key: str) -> Any:
        """Any JSON value, null where the key is missing (`values` tells the two apart)."""
        self._ask(key)
        value = self.values.get(key)
        self._json_only(value, (*self.where, key))
        return value

    def fields(self, key: str) -> "Fields | None":
        """A mapping below; None where the key is missing."""
        return self.sheet.fields((*self.where, key), self.values[key]) if self.has(key) else None

    def items(self, key: str, *, least: int = 0) -> list["Fields"]:
        """A list of mappings below, at least so many."""
        if not self.has(key):
            return self._need(key, []) if least else []
        value = self.values[key]
        if not isinstance(value, list):
            self._not(key, "a list")
            return []
        if len(value) < least:
            self.wrong(key, f"must have at least {least} {'entry' if least == 1 else 'entries'}")
        return [self.sheet.fields((*self.where, key, n), v) for n, v in enumerate(value)]

    def rest(self) -> list[str]:
        """The keys that nobody asked for."""
        return [k for k in self.values if k not in self.asked]

    def close(self) -> None:
        """Every key that nobody asked for is a mistake, told with the nearest that somebody did."""
        for key in self.rest():
            near = nearest(key, self.asked)
            self.wrong(key, f"unknown key {key!r}{near or '; allowed here: ' + ', '.join(self.asked)}")

    def unread(self) -> list[str]:
        """A notice of the keys that nobody asked for, where these are the live runner's business; none: no notice."""
        told = [f"{key!r}{nearest(key, self.asked).replace('; ', ' (') + ')' if nearest(key, self.asked) else ''}"
                for key in self.rest()]  # fmt: skip
        return [f"not read: {', '.join(told)}"] if told else []

    def _ask(self, key: str) -> None:
        if key not in self.asked:
            self.asked.append(key)

    def _need(self, key: str, stand_in: T) -> T:
        self.wrong(key, "is missing")
        return stand_in

    def _not(self, key: str, wanted: str) -> None:
        self.wrong(key, f"must be {wanted}, is {kind_of(self.values[key])}")

    def _text(self, key: str, stand_in: T, *, empty: bool) -> str | T:
        value = self.values[key]
        if isinstance(value, str) and (value or empty):
            return value
        self._not(key, "a text")
        return stand_in

    def _number(self, key: str, stand_in: T, least: float, most: float) -> float | T:
        value = self.values[key]
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            self._not(key, "a number")
            return stand_in
        if not least <= value <= most:
            bounds = f"at least {least:g}" if most == math.inf else f"{least:g} to {most:g}"
            self.wrong(key, f"must be {bounds}, is {value}")
            return stand_in
        return value

    def _json_only(self, value: Any, where: Where) -> None:
        """A date, NaN or infinity is nothing that a run could hold: said where it stands."""
        if isinstance(value, dt.date) or (isinstance(value, float) and not math.isfinite(value)):
            self.sheet.wrong(where, f"must be a JSON value, is {kind_of(value)}")
        for step, below in value.items() if isinstance(value, dict) else ():
            self._json_only(below, (*where, step))
        for number, below in enumerate(value if isinstance(value, list) else ()):
            self._json_only(below, (*where, number))


def _sound(path: str | Path, document: Document) -> Document:
    """Refuses halves of characters, which no file could be written with again."""
    pending: list[tuple[Where, Any]] = [((), document.value)]
    while pending:
        where, value = pending.pop()
        if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
            message = "holds half of a character (an unpaired surrogate)"
            document.mistakes.append(Mistake(str(path), document.line(where), dotted(where), message))
        elif isinstance(value, dict):
            pending += [((*where, k), v) for k, v in value.items()]
        elif isinstance(value, list):
            pending += [((*where, n), v) for n, v in enumerate(value)]
    return document
