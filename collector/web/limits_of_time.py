"""When a body that comes too slowly is cut off (H-16)."""

from collector.web.messages import Limits

_RATE_FROM = 5.0


def stalls(limits: Limits, now: float, since: float, heard: float, received: int) -> bool:
    """Whether a body that began at `since`, and brought its last bytes at `heard`, breaks a limit. Times in seconds."""
    taken = now - since
    if now - heard > limits.body_idle_seconds or taken > limits.request_seconds:
        return True
    return taken > _RATE_FROM and received < taken * limits.body_rate
