"""Text of strangers that a terminal, or whoever looks into a log with one, must not obey (X-09)."""

import unicodedata

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\u200d": "\u200d"}  # the last one joins emoji and does no harm


def clean(text: str) -> str:
    r"""The text on one line with control, format and surrogate characters escaped, as `\x1b`."""
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return character.encode("unicode_escape", "surrogatepass").decode()
    return character
