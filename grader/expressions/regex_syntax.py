r"""One pattern in the spelling of another engine.

What is written for JavaScript is spelled for Python's `re`; what is written for Python is spelled for RE2 so that its
classes know Unicode: RE2's own `\d`, `\w` and `\s` are those of ASCII.
"""

import re

_CHARACTERS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_JAVASCRIPT = re.compile(rf"\\k<(\w+)>|(\\.)|({_CHARACTERS})|(\(\?<)(?![=!])|(\$)", re.DOTALL)
_PYTHON = re.compile(rf"(\\.)|({_CHARACTERS})", re.DOTALL)
_ESCAPED = re.compile(r"\\.", re.DOTALL)

_WITHIN = {
    r"\d": r"\p{Nd}",
    r"\D": r"\P{Nd}",
    r"\w": r"\p{L}\p{N}_",
    r"\s": r"\t-\r \x1c-\x1f\x{85}\p{Z}",
}
"""Python's classes between brackets; the opposites of the last two are no lists of classes."""
_ALONE = {name: f"[{inner}]" for name, inner in _WITHIN.items()}
_ALONE |= {name.upper(): f"[^{_WITHIN[name]}]" for name in (r"\w", r"\s")}


def from_javascript(pattern: str, *, multiline: bool) -> str:
    """Named groups, references to them and `$` (the end, and nothing before it) as Python writes them."""
    end = "$" if multiline or "(?m" in pattern else r"\Z"

    def python(found: re.Match[str]) -> str:
        name, escaped, characters, group, _dollar = found.groups()
        if name:
            return f"(?P={name})"
        return escaped or characters or (group and "(?P<") or end

    return _JAVASCRIPT.sub(python, pattern)


def with_unicode_classes(pattern: str) -> str | None:
    r"""A pattern of Python for RE2 over any text; None where RE2 has no such thing: `\b`, `[^\W\d]`."""
    possible = True

    def re2(found: re.Match[str]) -> str:
        nonlocal possible
        escaped, characters = found.groups()
        if escaped:
            possible = possible and escaped not in (r"\b", r"\B")
            return _ALONE.get(escaped, escaped)
        within = _ESCAPED.findall(characters)
        possible = possible and r"\W" not in within and r"\S" not in within
        return _ESCAPED.sub(lambda e: _WITHIN.get(e[0], e[0]), characters)

    spelled = _PYTHON.sub(re2, pattern)
    return spelled if possible else None
