"""An expression that cannot be used, shown with a caret under the place."""

import unicodedata

_MARGIN = 70
_INDENT = "    "


class BadExpression(ValueError):  # noqa: N818 -- what it is, as formats speak of it
    """Raised when a suite is loaded, never when it is graded.

    `message` is one sentence; `line` and `column` count from 1, in characters. As text: the sentence, the line of the
    source (cut where it is long), and a caret under the place.
    """

    def __init__(self, message: str, source: str, offset: int = 0) -> None:
        offset = max(0, min(offset, len(source)))
        before = source[:offset]
        self.message = message
        self.source = source
        self.line = before.count("\n") + 1
        self.column = offset - (before.rfind("\n") + 1) + 1
        super().__init__(f"{message}\n{self.marked}")

    @property
    def marked(self) -> str:
        """Two lines: the source's line, and the caret under the place."""
        line = (self.source.split("\n") or [""])[self.line - 1]
        at = self.column - 1
        start, end = max(0, at - _MARGIN), at + _MARGIN
        shown = ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
        before = ("…" if start else "") + line[start:at]
        clean = "".join(c if c.isprintable() else " " for c in shown)
        return f"{_INDENT}{clean}\n{_INDENT}{' ' * _width(before)}^"


def _width(text: str) -> int:
    """Columns that a terminal gives the text: two for wide characters, none for those that join the one before."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    joined = sum(unicodedata.combining(c) > 0 for c in text)
    return len(text) + wide - joined


def readable(source: object, most: int) -> None:
    """Whatever the language: a text of at most so many characters, with something in it that can be written in a file.

    Raises:
        BadExpression: it is none.
    """
    if not isinstance(source, str):
        raise BadExpression(f"an expression is a text, not {type(source).__name__}", repr(source)[:80])
    if len(source) > most:
        raise BadExpression(f"it has {len(source):,} characters; allowed are {most:,}", source, most)
    if not source.strip():
        raise BadExpression("it is empty", source)
    for at, character in enumerate(source):
        if "\ud800" <= character <= "\udfff" or (character < " " and character not in "\n\r\t"):
            raise BadExpression(f"the character {ord(character):#06x} cannot stand here", source, at)
