"""Streams that are over: what may still come for them, and what may not (RFC 9113, 5.1)."""

from collector.web.http2.frames import Code, ConnectionFault

_REMEMBERED = 256
_BY_THE_PEER = -1


class Closed:
    """The latest streams that ended. What is still on its way for one that we ended first is ignored, within its window."""

    def __init__(self) -> None:
        self._windows: dict[int, int] = {}

    def add(self, number: int, window: int | None) -> None:
        """A stream ended: for us while the peer might still send `window` bytes, or (None) after the peer's own end."""
        if len(self._windows) >= _REMEMBERED:
            del self._windows[next(iter(self._windows))]
        self._windows[number] = _BY_THE_PEER if window is None else window

    def ignores(self, number: int, flow: int = 0) -> bool:
        """Whether what comes is ignored. Raises ConnectionFault where it is more than the stream's window."""
        window = self._windows.get(number, _BY_THE_PEER)
        if window == _BY_THE_PEER:
            return False
        if flow > window:
            raise ConnectionFault(Code.FLOW_CONTROL_ERROR, "more than the window of the stream")
        self._windows[number] = window - flow
        return True

    def fault(self, number: int) -> ConnectionFault:
        """What it is where it is not ignored: a number that was passed over, or a stream that the peer had ended."""
        known = number in self._windows
        return ConnectionFault(Code.STREAM_CLOSED if known else Code.PROTOCOL_ERROR, "the stream is closed")
