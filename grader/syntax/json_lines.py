"""Reads JSON strictly, with the line of every key and item: duplicate keys, NaN and Infinity are mistakes.

The containers are walked here, since no JSON library tells lines; texts and numbers are read by Python's own decoder.
"""

import json
import math
import re
from bisect import bisect_right
from pathlib import Path
from typing import Any

from grader.syntax.mistakes import Mistake
from grader.syntax.yaml12 import Document, Where, dotted

_SPACE = re.compile(r"[ \t\n\r]*")


def read(path: str | Path, text: str) -> Document:
    """The document, or one with the mistakes that kept it from being read."""
    reader = _Reader(str(path), text)
    try:
        reader.read()
    except json.JSONDecodeError as error:
        reader.wrong(error.pos, (), f"not JSON: {error.msg}")
    except RecursionError:
        reader.wrong(0, (), "not JSON: nested too deep")
    return reader.document


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


class _Reader:
    """One pass over one text."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.document = Document()
        self.starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self.leaf = json.JSONDecoder(parse_constant=_no_constant)

    def read(self) -> None:
        start = self._skip(0)
        if start == len(self.text):
            self.wrong(0, (), "the file is empty")
            return
        value, end = self._value(start, ())
        end = self._skip(end)
        if end < len(self.text):
            raise json.JSONDecodeError("something follows the end of the value", self.text, end)
        self.document.value = value

    def wrong(self, position: int, where: Where, message: str) -> None:
        self.document.mistakes.append(Mistake(self.path, self._line(position), dotted(where), message))

    def _line(self, position: int) -> int:
        return bisect_right(self.starts, position)

    def _skip(self, position: int) -> int:
        found = _SPACE.match(self.text, position)
        return found.end() if found else position

    def _value(self, at: int, where: Where) -> tuple[Any, int]:
        self.document.lines.setdefault(where, self._line(at))
        self.document.nodes += 1
        opening = self.text[at : at + 1]
        if opening == "{":
            return self._object(at, where)
        return self._array(at, where) if opening == "[" else self._leaf(at, where)

    def _leaf(self, at: int, where: Where) -> tuple[Any, int]:
        try:
            value, end = self.leaf.raw_decode(self.text, at)
        except json.JSONDecodeError:
            raise
        except ValueError as error:
            raise json.JSONDecodeError(str(error).split(";", 1)[0], self.text, at) from None
        if isinstance(value, float) and not math.isfinite(value):
            self.wrong(at, where, "the number is too large")
        return value, end

    def _array(self, at: int, where: Where) -> tuple[list[Any], int]:
        items: list[Any] = []
        at = self._skip(at + 1)
        if self.text[at : at + 1] == "]":
            return items, at + 1
        while True:
            value, at = self._value(at, (*where, len(items)))
            items.append(value)
            at = self._skip(at)
            if self._closes(at, "]"):
                return items, at + 1
            at = self._skip(at + 1)

    def _object(self, at: int, where: Where) -> tuple[dict[str, Any], int]:
        values: dict[str, Any] = {}
        at = self._skip(at + 1)
        if self.text[at : at + 1] == "}":
            return values, at + 1
        while True:
            at = self._member(at, where, values)
            at = self._skip(at)
            if self._closes(at, "}"):
                return values, at + 1
            at = self._skip(at + 1)

    def _member(self, at: int, where: Where, values: dict[str, Any]) -> int:
        if self.text[at : at + 1] != '"':
            raise json.JSONDecodeError("a key in double quotes is expected", self.text, at)
        key, end = self.leaf.raw_decode(self.text, at)
        below = (*where, key)
        first = self.document.lines.get(below)
        colon = self._skip(end)
        if self.text[colon : colon + 1] != ":":
            raise json.JSONDecodeError("':' is expected after a key", self.text, colon)
        if key in values:
            self.wrong(at, below, f"the key {key!r} stands here twice (first on line {first})")
        self.document.lines.setdefault(below, self._line(at))
        value, end = self._value(self._skip(colon + 1), below)
        values.setdefault(key, value)
        return end

    def _closes(self, at: int, closing: str) -> bool:
        """Whether the container ends here; else a comma goes on."""
        mark = self.text[at : at + 1]
        if mark not in (closing, ",") or not mark:
            raise json.JSONDecodeError(f"',' or {closing!r} is expected", self.text, at)
        return mark == closing
