"""One unary call of gRPC while its message comes: it is refused as soon as it can be, and taken of the memory as it comes."""

from collections.abc import Awaitable
from typing import Protocol

from collector.receive import reply
from collector.receive.grpc_message import PREFIX
from collector.receive.reply import Answer
from collector.web.http2.calls import Reply
from collector.web.messages import Held

_IDENTITY, _GZIP = "", "gzip"
_SHORT = Answer(reply.MALFORMED, "the call ended before its message did")
_LONG = Answer(reply.MALFORMED, "a call of one message brings more than one")
_FLAG = Answer(reply.MALFORMED, "the message's first byte is neither 0 nor 1")
_NOT_SAID = Answer(reply.MALFORMED, "the message is compressed, and grpc-encoding does not say how")
_TOO_LARGE = Answer(reply.TOO_LARGE, "the message is too large; send fewer rows in a request")


class Method(Protocol):
    """What is called. `largest`: bytes of a message."""

    largest: int

    def objection(self, size: int, held: Held, /) -> Answer | None:
        """What can be said of a message by its length."""
        ...

    def no_room(self, held: Held, /) -> Answer:
        """There is no memory for what came."""
        ...

    def answer(self, answer: Answer) -> Reply:
        """A refusal."""
        ...

    def call(self, message: bytes, held: Held, /, *, gzipped: bool) -> Reply | Awaitable[Reply]:
        """The message is whole: the answer, or what will give it, and gives back what is held."""
        ...


class UnaryCall:
    """A call whose message is being read. `gzip`: its head says that compressed messages are gzip."""

    __slots__ = ("_gzip", "_gzipped", "_held", "_left", "_method", "_parts")

    def __init__(self, method: Method, held: Held, *, gzip: bool) -> None:
        self._method, self._held, self._gzip = method, held, gzip
        self._parts: list[bytes] = []
        self._left = -1
        """Bytes of the message that are to come; -1: its length has not come yet."""
        self._gzipped = False

    def feed(self, piece: bytes) -> Reply | None:
        """More of the body; a reply ends the call."""
        if self._left < 0:
            if self._parts:
                piece = self._parts.pop() + piece
            if len(piece) < PREFIX.size:
                self._parts.append(piece)
                return None
            objection = self._begin(*PREFIX.unpack_from(piece))
            if objection is not None:
                return self._method.answer(objection)
            piece = piece[PREFIX.size :]
        self._left -= len(piece)
        if self._left < 0:
            return self._method.answer(_LONG)
        if not self._held.take(len(piece)):
            return self._method.answer(self._method.no_room(self._held))
        self._parts.append(piece)
        return None

    def end(self) -> Reply | Awaitable[Reply]:
        """The body is whole."""
        if self._left != 0:
            self.drop()
            return self._method.answer(_SHORT)
        held, self._held = self._held, Held(None)
        return self._method.call(b"".join(self._parts), held, gzipped=self._gzipped)

    def drop(self) -> None:
        """Nobody waits for it any more."""
        self._parts.clear()
        self._held.release()

    def _begin(self, flag: int, size: int) -> Answer | None:
        if flag > 1:
            return _FLAG
        if flag and not self._gzip:
            return _NOT_SAID
        if size > self._method.largest:
            return _TOO_LARGE
        self._gzipped, self._left = bool(flag), size
        return self._method.objection(size, self._held)
