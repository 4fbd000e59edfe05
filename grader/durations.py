"""How far back: "24h", "30m", "7d", or a point in time in ISO form."""

from datetime import UTC, datetime

from collector import durations


def since(text: str, now: datetime) -> datetime:
    """The point in time meant, in UTC. A time without a zone is UTC.

    Raises:
        ValueError: the text is neither a duration nor a time; the message is for its author.
    """
    try:
        ago = durations.length(text)
        if ago is not None:
            return now - ago
        point = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise ValueError(
            f"{text!r} is no time: write a duration (30m, 24h, 7d) or an ISO time (2026-03-01T12:00)"
        ) from None
    return point.replace(tzinfo=UTC) if point.tzinfo is None else point.astimezone(UTC)
