r"""The regular expressions of checks: searched in linear time by RE2 where it answers as asked, else by a guarded `re`.

Two readings of a pattern. Python's, which is the default: `\d`, `\w`, `\b` know all letters of Unicode, `$` also stands
before a last line end. And that of JavaScript and RE2, with `ascii=True`: these know ASCII alone, `$` is the end.
RE2 has no lookaround and no backreferences, and reads a few things otherwise than Python. A pattern or a text for which
it cannot be relied on is searched by `re` in another process, which is ended at a limit of time and memory.
"""

import re
import warnings
from dataclasses import dataclass, field
from typing import Any

import re2

from grader.expressions.guarded_search import SEARCH, TooSlow
from grader.expressions.regex_syntax import from_javascript, with_unicode_classes

__all__ = ["BadPattern", "Regex", "TooSlow", "compile_regex"]

MAX_CHARACTERS = 10_000

_FLAGS = (re.IGNORECASE, re.MULTILINE, re.DOTALL, re.UNICODE, re.VERBOSE, re.ASCII)
FLAGS = sum(map(int, _FLAGS))
"""Those that a pattern may have, as a sum; DEBUG changes no answer and is dropped."""

_INLINE = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"))

_READ_OTHERWISE = re.compile(r"\{,|\[:|\\B")
"""What both compile and do not mean alike: `a{,3}`, `[[:alpha:]]`; and `\\B` in an empty text."""
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_WITHIN_CHARACTERS = {r"\C", r"\B"}
"""These RE2 may find between two bytes of one character."""
_SPACE = re.compile(r"\\[sS]")
_IGNORES_CASE = re.compile(r"\(\?[a-z]*i")
_ODD_SPACE = re.compile("[\v\x1c-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class BadPattern(ValueError):  # noqa: N818 -- what it is, as formats speak of it
    """Not a regular expression; the message tells why and where."""


@dataclass(frozen=True, slots=True)
class Regex:
    """A compiled pattern. Two are equal where pattern, flags and reading are."""

    pattern: str
    flags: int = 0
    ascii: bool = False
    _ascii: Any = field(init=False, repr=False, compare=False)
    _unicode: Any = field(init=False, repr=False, compare=False)
    _python: tuple[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check(self.pattern, self.flags)
        flags = int(self.flags) & FLAGS
        read = _read_as_javascript if self.ascii else _read_as_python
        for name, value in zip(("_ascii", "_unicode", "_python"), read(self.pattern, flags), strict=True):
            object.__setattr__(self, name, value)

    def search(self, text: str) -> tuple[int, int] | None:
        """Where the first match begins and ends, in characters; None where there is none.

        Raises:
            TooSlow: a pattern that RE2 cannot search for took too long.
        """
        engine = self._engine(text)
        if engine is None:
            return SEARCH.search(*self._python, text)
        data = (text if text.isascii() else _SURROGATE.sub("\ufffd", text)).encode()
        found = engine.search(data)
        if found is None:
            return None
        start, end = found.span()
        if len(data) == len(text):
            return start, end
        before = len(data[:start].decode())
        return before, before + len(data[start:end].decode())

    def _engine(self, text: str) -> Any:
        """What answers for this text as the reading asks; None for `re`."""
        if self.ascii:
            return self._ascii
        if "$" in self.pattern and text.endswith("\n"):
            return None
        if text.isascii() and not (_SPACE.search(self.pattern) and _ODD_SPACE.search(text)):
            return self._ascii
        return None if _SURROGATE.search(text) else self._unicode


def compile_regex(pattern: str, *, flags: int = 0, ignore_case: bool = False, ascii: bool = False) -> Regex:  # noqa: A002
    """Reads a pattern. `flags` are those of Python's `re`; `ascii` reads it as JavaScript and RE2 do.

    Raises:
        BadPattern: it is no regular expression, or has a flag that is not known.
    """
    return Regex(pattern, flags | (re.IGNORECASE if ignore_case else 0), ascii)


def _check(pattern: str, flags: int) -> None:
    if not isinstance(pattern, str):
        raise BadPattern(f"a regular expression is a text, not {type(pattern).__name__}")
    if len(pattern) > MAX_CHARACTERS:
        raise BadPattern(f"it has {len(pattern):,} characters; allowed are {MAX_CHARACTERS:,}")
    if int(flags) & ~(FLAGS | re.DEBUG.value):
        known = ", ".join(f"{f.value} {f.name}" for f in _FLAGS)
        raise BadPattern(f"unknown flags {int(flags)}; known are sums of {known}")


def _read_as_javascript(pattern: str, flags: int) -> tuple[Any, Any, tuple[str, int]]:
    """RE2 reads it as it stands; `re` reads it in Python's spelling, where RE2 cannot."""
    linear = None if _WITHIN_CHARACTERS.intersection(_ESCAPED.findall(pattern)) else _for_re2(pattern, flags)
    python = from_javascript(pattern, multiline=bool(flags & re.MULTILINE)), (flags & ~re.UNICODE) | re.ASCII
    if linear is None:
        _compiles_quietly(*python)
    return linear, linear, python


def _read_as_python(pattern: str, flags: int) -> tuple[Any, Any, tuple[str, int]]:
    """RE2 for texts of ASCII, RE2 for other texts, and `re` for what RE2 reads otherwise."""
    quiet = _compiles_quietly(pattern, flags)
    ignores = bool(flags & re.IGNORECASE or _IGNORES_CASE.search(pattern))
    if not quiet or _READ_OTHERWISE.search(pattern) or (ignores and not pattern.isascii()):
        return None, None, (pattern, flags)
    linear = _for_re2(pattern, flags)
    spelled = None if linear is None or ignores or flags & re.ASCII else with_unicode_classes(pattern)
    return linear, None if spelled is None else _for_re2(spelled, flags), (pattern, flags)


def _for_re2(pattern: str, flags: int) -> Any:
    """Compiled by RE2, or None where it cannot."""
    if flags & re.VERBOSE or _SURROGATE.search(pattern):
        return None
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    inline = "".join(letter for flag, letter in _INLINE if flags & flag)
    try:
        return re2.compile(f"(?{inline}){pattern}" if inline else pattern, options)
    except re2.error:
        return None


def _compiles_quietly(pattern: str, flags: int) -> bool:
    """Whether Python compiles it without a warning that it may come to mean something else."""
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            re.compile(pattern, flags)
    except re.error as error:
        raise BadPattern(str(error)) from None
    except (ValueError, OverflowError, RecursionError) as error:
        raise BadPattern(f"it cannot be compiled: {error}") from None
    return not said
