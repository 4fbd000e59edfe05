"""One stream of a connection, from its head to the end of its answer (RFC 9113, 5.1)."""

from collector.web.http2.calls import Call, Reply


class Stream:
    """What is known of it. It is forgotten when it is answered in full, or reset."""

    __slots__ = (
        "call",
        "ended",
        "expected",
        "gone",
        "heard",
        "number",
        "received",
        "reply",
        "send_window",
        "sent",
        "since",
        "window",
        "working",
    )

    def __init__(self, number: int, now: float, window: int, send_window: int) -> None:
        self.number = number
        self.call: Call | None = None
        """Takes the body, while it is read."""
        self.window, self.send_window = window, send_window
        """Bytes that the peer may send, and that we may."""
        self.ended = False
        """The peer has sent all (half-closed)."""
        self.gone = False
        """Reset, or its connection is lost: an answer goes nowhere."""
        self.working = False
        """Its answer is being made."""
        self.expected = -1
        """The body's length as announced; -1: it was not."""
        self.received = 0
        self.since = self.heard = now
        """When it began, and when the last bytes of its body came."""
        self.reply: Reply | None = None
        """An answer that waits until the peer has room for it; `sent` bytes of its body are gone already."""
        self.sent = 0

    def give_up(self) -> None:
        """Nothing more of its body is wanted."""
        call, self.call = self.call, None
        if call is not None:
            call.drop()
