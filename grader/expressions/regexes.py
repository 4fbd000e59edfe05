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

__all__ = ["BadPattern", "Regex", "TooSlow", "compile_regex"]

MAX_CHARACTERS = 10_000

_FLAGS = (re.IGNORECASE, re.MULTILINE, re.DOTALL, re.UNICODE, re.VERBOSE, re.ASCII)
FLAGS = sum(map(int, _FLAGS))
"""Those that a pattern may have, as a sum; DEBUG changes no answer and is dropped."""

_INLINE = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"))

_READ_OTHERWISE = re.compile(r"\{,|\[:|\\B")
"""What both compile and do not mean alike: `a{,3}`, `[[:alpha:]]`; and `\\B` in an empty text."""
_CLASS = re.compile(r"\\[dDwWsSbB]")
_IGNORES_CASE = re.compile(r"\(\?[a-z]*i")
_ODD_SPACE = re.compile("[\v\x1c-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_JAVASCRIPT = re.compile(r"\\k<(\w+)>|(\\.)|(\[(?:\\.|[^\]\\])*\])|(\(\?<)(?![=!])|(\$)", re.DOTALL)


class BadPattern(ValueError):  # noqa: N818 -- what it is, as formats speak of it
    """Not a regular expression; the message tells why and where."""


@dataclass(frozen=True, slots=True)
class Regex:
    """A compiled pattern. Two are equal where pattern, flags and reading are."""

    pattern: str
    flags: int = 0
    ascii: bool = False
    _linear: Any = field(init=False, repr=False, compare=False)
    _python: str = field(init=False, repr=False, compare=False)
    _python_flags: int = field(init=False, repr=False, compare=False)
    _unicode: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check(self.pattern, self.flags)
        flags = int(self.flags) & FLAGS
        python, linear, same = self.pattern, _for_re2(self.pattern, flags), True
        if self.ascii:
            python, flags = _from_javascript(python, flags), (flags & ~re.UNICODE) | re.ASCII
        if not (self.ascii and linear):
            same = _compiles_quietly(python, flags)
        if not self.ascii and not (same and _alike(self.pattern, flags)):
            linear = None
        ignores = bool(flags & re.IGNORECASE or _IGNORES_CASE.search(self.pattern))
        beyond = not ignores and (bool(flags & re.ASCII) or not _CLASS.search(self.pattern))
        for name, value in (("_linear", linear), ("_python", python), ("_python_flags", flags), ("_unicode", beyond)):
            object.__setattr__(self, name, value)

    def search(self, text: str) -> tuple[int, int] | None:
        """Where the first match begins and ends, in characters; None where there is none.

        Raises:
            TooSlow: a pattern that RE2 cannot search for took too long.
        """
        if self._linear is not None and self._relies(text):
            found = self._linear.search(_SURROGATE.sub("\ufffd", text))
            return found and found.span()
        return SEARCH.search(self._python, self._python_flags, text)

    def _relies(self, text: str) -> bool:
        """Whether RE2 answers for this text as the reading asks."""
        if self.ascii:
            return True
        if "$" in self.pattern and text.endswith("\n"):
            return False
        if text.isascii():
            return not _ODD_SPACE.search(text)
        return self._unicode and not _SURROGATE.search(text) and not _ODD_SPACE.search(text)


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


def _alike(pattern: str, flags: int) -> bool:
    """Whether what both compile means the same to both, for a text of ASCII."""
    ignores = flags & re.IGNORECASE or _IGNORES_CASE.search(pattern)
    return not _READ_OTHERWISE.search(pattern) and not (ignores and not pattern.isascii())


def _from_javascript(pattern: str, flags: int) -> str:
    """Named groups, references to them and `$` as Python writes them."""
    end = "$" if flags & re.MULTILINE or "(?m" in pattern else r"\Z"

    def python(found: re.Match[str]) -> str:
        name, escaped, characters, group, _dollar = found.groups()
        if name:
            return f"(?P={name})"
        return escaped or characters or (group and "(?P<") or end

    return _JAVASCRIPT.sub(python, pattern)
