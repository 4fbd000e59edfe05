"""How far back: "24h", "30m", "7d", or a point in time in ISO form."""

import re
from datetime import UTC, datetime, timedelta

_AGO = re.compile(r"(\d+)\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def since(text: str, now: datetime) -> datetime:
    """The point in time meant, in UTC. A time without a zone is UTC.

    Raises:
        ValueError: the text is neither a duration nor a time; the message is for its author.
    """
    ago = _AGO.fullmatch(text.strip())
    try:
        if ago is not None:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        point = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise ValueError(
            f"{text!r} is no time: write a duration (30m, 24h, 7d) or an ISO time (2026-03-01T12:00)"
        ) from None
    return point.replace(tzinfo=UTC) if point.tzinfo is None else point.astimezone(UTC)
