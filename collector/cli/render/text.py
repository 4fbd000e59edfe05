"""Text of strangers made short as well as safe: it comes from traces, so a terminal must not obey it (X-09)."""

import json
from typing import Any

from collector.printable import clean

LIMIT = 2_000
"""Characters of one value that are looked at: a tree stays quick to print whatever a tool returned."""

_LONG_IN_SECONDS = 100


def brief(value: Any) -> str:
    """One line for any decoded value: text as it is, all else as JSON; cut at LIMIT with an ellipsis."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return clean(text if len(text) <= LIMIT else text[:LIMIT] + "…")


def duration(nanoseconds: float | None) -> str:
    """A length of time for people: 840 ms, 12.3 s, 4 min 10 s; empty where it is not known."""
    if nanoseconds is None:
        return ""
    seconds = nanoseconds / 1e9
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < _LONG_IN_SECONDS else f"{int(seconds) // 60} min {int(seconds) % 60} s"
