"""Reads a plain scalar as PyYAML does (YAML 1.1): `yes` and `on` are booleans, `010` is eight, dates are dates."""

import datetime as dt
import math
import re
from typing import Any

_NULL = re.compile(r"null|Null|NULL|~|")
_BOOL = re.compile(r"(yes|Yes|YES|true|True|TRUE|on|On|ON)|(no|No|NO|false|False|FALSE|off|Off|OFF)")
_BASED = (
    (re.compile(r"[-+]?0b[01_]+"), 2),
    (re.compile(r"[-+]?0x[0-9a-fA-F_]+"), 16),
    (re.compile(r"[-+]?0[0-7_]+"), 8),
)
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)")
_SIXTIES = re.compile(r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*")
_FLOAT = re.compile(r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_TIME = re.compile(r"\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?")


def pyyaml(text: str) -> Any:
    """The value. A time of day with a date is kept as a `datetime.date`: nothing here asks for more than that it is one.

    Raises:
        ValueError: it looks like a number or a date, and is none.
    """
    if _NULL.fullmatch(text):
        return None
    if found := _BOOL.fullmatch(text):
        return found[1] is not None
    if _DATE.fullmatch(text) or _TIME.fullmatch(text):
        year, month, day = re.split(r"[-Tt \t]", text, maxsplit=3)[:3]
        return dt.date(int(year), int(month), int(day))
    return _number(text)


def _number(text: str) -> Any:
    digits = text.replace("_", "")
    for pattern, base in _BASED:
        if pattern.fullmatch(text):
            return int(digits, base) if base != 8 else int(digits.replace("0", "0o", 1), 8)  # noqa: PLR2004  octal
    if _INT.fullmatch(text):
        return int(digits)
    if _SIXTIES.fullmatch(text):
        return _sixties(digits)
    if _FLOAT.fullmatch(text):
        return float(digits)
    if _INFINITE.fullmatch(text):
        return -math.inf if text.startswith("-") else math.inf
    return math.nan if _NAN.fullmatch(text) else text


def _sixties(digits: str) -> int | float:
    """1:30 is ninety: YAML 1.1 reads colons as base 60."""
    sign = -1 if digits.startswith("-") else 1
    total: int | float = 0
    for part in digits.lstrip("+-").split(":"):
        total = total * 60 + (float(part) if "." in part else int(part))
    return sign * total
