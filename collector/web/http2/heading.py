"""A header list that was read, whatever it turns out to be: it may be remembered, and looked at again."""

from collector.web.http2.blocks import Pairs
from collector.web.http2.head import HEAD_BYTES, Malformed, request_head, size
from collector.web.messages import Head


class Heading:
    """A list of headers. `head` is None where it is no request's; `large`: it is longer than what was announced."""

    __slots__ = ("head", "large", "length", "pairs")

    def __init__(self, pairs: Pairs, peer: str) -> None:
        self.pairs = pairs
        self.large = size(pairs) > HEAD_BYTES
        self.head: Head | None = None
        self.length = -1
        """Of the body, as announced; -1: it was not."""
        if self.large:
            return
        try:
            self.head = request_head(pairs, peer)
        except Malformed:
            return
        announced = self.head.headers.get("content-length", "")
        if announced.isdecimal():
            self.length = int(announced)
        elif announced:
            self.head = None
