"""Lengths of time as people write them: 30s, 15m, 24h, 7d, 2w."""

import re
from datetime import timedelta

_FORM = re.compile(r"(\d+)\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def length(text: str) -> timedelta | None:
    """The length, or None where the text is none. Raises OverflowError for one beyond all calendars."""
    found = _FORM.fullmatch(text.strip())
    return None if found is None else timedelta(**{_UNITS[found[2]]: int(found[1])})
