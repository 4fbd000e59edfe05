"""Times and sizes as people write them: `30d`, `12h`, `10GB`."""

import re

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_BYTES = {
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KIB": 2**10,
    "MIB": 2**20,
    "GIB": 2**30,
    "TIB": 2**40,
}
_AMOUNT = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([A-Za-z]*)")


def seconds(text: str) -> float:
    """`90s`, `30m`, `12h`, `30d`, `2w`. Raises ValueError, whose message is for the author."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None or found[2].lower() not in _SECONDS:
        raise ValueError(f"{text!r} is no length of time; write a number and s, m, h, d or w, such as 30d")
    return float(found[1]) * _SECONDS[found[2].lower()]


def size(text: str) -> int:
    """`500MB`, `10GB`, `2GiB`, or a bare number of bytes. Raises ValueError, whose message is for the author."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None or (found[2] or "B").upper() not in _BYTES:
        raise ValueError(f"{text!r} is no size; write a number and KB, MB, GB or TB, such as 10GB")
    return int(float(found[1]) * _BYTES[(found[2] or "B").upper()])


def shown(number: int) -> str:
    """A size for people: `3.4 GB`."""
    for unit in ("TB", "GB", "MB", "KB"):
        if number >= _BYTES[unit]:
            return f"{number / _BYTES[unit]:.1f} {unit}"
    return f"{number} B"
