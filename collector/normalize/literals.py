"""Python's own way of writing values (`{'a': None}`, `Call(name='x', args={})`): read, never evaluated.

Instrumentations put `repr(...)` and `str(...)` of objects where JSON belongs. Sets and tuples become lists, an object
becomes a dict of its fields (its class under `CLASS`), anything else that is opaque keeps its text. Time is linear in the
text.
"""

import re
from typing import Any

CLASS = "__class__"
"""The key under which an object's class name stands beside its fields."""

DEEPEST = 64

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<string>[bBrRuU]{0,2}(?:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"))
    |(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
    |(?P<word>[A-Za-z_][\w.]*)
    |(?P<opaque><[^<>\n]{0,400}>)
    |(?P<mark>[\[\](){},:=])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": ""}
_WORDS = {"None": None, "True": True, "False": False}
_CLOSE = {"[": "]", "(": ")", "{": "}"}


def parse(text: str) -> Any:
    """The value that the whole text writes; ValueError where it is none."""
    reader = _Reader(text)
    value = reader.value(0)
    reader.finish()
    return value


def fields(text: str) -> dict[str, Any]:
    """The fields of an object written as `name='x' id=None` (pydantic's `str`); ValueError where it is none."""
    reader = _Reader(text)
    out: dict[str, Any] = {}
    while reader.kind is not None:
        key = reader.take("word")
        reader.take("mark", "=")
        out[key] = reader.value(0)
    return out


class _Reader:
    """A reader one token ahead: `kind` and `word` are what comes next, None at the end."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.kind: str | None = None
        self.word = ""
        self.step()

    def step(self) -> None:
        """Go to the next token."""
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            if self.text[self.at :].strip():
                raise ValueError("not a literal")
            self.kind, self.word = None, ""
            return
        self.at, self.kind = found.end(), found.lastgroup
        self.word = found.group(found.lastgroup or 0)

    def take(self, kind: str, token: str | None = None) -> str:
        """The next token, which must be this one."""
        taken = self.word
        if self.kind != kind or (token is not None and taken != token):
            raise ValueError("not a literal")
        self.step()
        return taken

    def finish(self) -> None:
        """Nothing may follow."""
        if self.kind is not None:
            raise ValueError("not a literal")

    def value(self, depth: int) -> Any:
        """One value."""
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
        kind, token = self.kind, self.word
        if kind == "mark" and token in _CLOSE:
            self.step()
            return self._held(_CLOSE[token], depth)
        self.step()
        if kind == "string":
            while self.kind == "string":  # pieces side by side are one string
                token = token[:-1] + _body(self.word) + token[-1]
                self.step()
            return _unescaped(token)
        if kind == "number":
            return float(token) if any(mark in token for mark in ".eE") else int(token)
        if kind == "opaque":
            return token
        if kind == "word":
            return self._name(token, depth)
        raise ValueError("not a literal")

    def _name(self, word: str, depth: int) -> Any:
        if self.kind == "mark" and self.word == "(":
            self.step()
            return {CLASS: word, **self._object(depth)}
        if word in _WORDS:
            return _WORDS[word]
        if word in ("nan", "inf"):
            return word
        raise ValueError("not a literal")

    def _object(self, depth: int) -> dict[str, Any]:
        """The fields of an object; those without names are listed under `args`."""
        out: dict[str, Any] = {}
        nameless: list[Any] = []
        while not self._closed(")"):
            if self.kind == "word" and self.text.startswith("=", self.at):
                key = self.take("word")
                self.take("mark", "=")
                out[key] = self.value(depth + 1)
            else:
                nameless.append(self.value(depth + 1))
            self._comma(")")
        return {"args": nameless, **out} if nameless else out

    def _held(self, close: str, depth: int) -> Any:
        """A list, or a dict where the first item has a key."""
        items: list[Any] = []
        pairs: dict[str, Any] = {}
        keyed = close == "}" and self.word == "}"
        while not self._closed(close):
            item = self.value(depth + 1)
            if close == "}" and self.kind == "mark" and self.word == ":":
                keyed = True
                self.step()
                pairs[str(item)] = self.value(depth + 1)
            else:
                items.append(item)
            self._comma(close)
        return pairs if keyed else items

    def _closed(self, close: str) -> bool:
        if self.kind == "mark" and self.word == close:
            self.step()
            return True
        if self.kind is None:
            raise ValueError("cut off")
        return False

    def _comma(self, close: str) -> None:
        if self.kind == "mark" and self.word == close:
            return
        self.take("mark", ",")


def _body(token: str) -> str:
    return token.lstrip("bBrRuU")[1:-1]


def _unescaped(token: str) -> str:
    raw = token[: token.index(token[-1])].lower()
    body = _body(token)
    return body if "\\" not in body or "r" in raw else _ESCAPE.sub(_character, body)


def _character(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code is None:
        return _PLAIN.get(found[4], found[4] if found[4] in "\\'\"" else found[0])
    number = int(code, 16)
    return chr(number) if number <= 0x10FFFF else found[0]  # noqa: PLR2004
