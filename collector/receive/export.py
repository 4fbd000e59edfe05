"""The one path of an export, whatever brought it: bytes → columns → commit → answer.

Success is answered only after the writer's future resolved, that is after COMMIT (C-11).
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Literal, Protocol, get_args

from collector.decode import Decoded, DecodeError, logs_json, logs_protobuf, traces_json, traces_protobuf
from collector.receive import reply
from collector.receive.admission import ByteBudget
from collector.receive.encoding import LARGEST, EncodingError, NoRoom, TooLarge, gunzip
from collector.receive.pace import Pace
from collector.receive.readiness import Trouble
from collector.receive.reply import Answer, Form, Signal
from collector.store.errors import Busy, Unavailable
from collector.store.group import Receipt

_log = logging.getLogger(__name__)

INLINE = 32 << 10
"""Bytes up to which a body is decoded on the event loop: a hop to a thread costs more (about 0.1 ms) than it frees."""

_DECODING = 2
"""Bodies that are decoded in threads at the same time: more would only wait for the interpreter's lock."""

_DECODERS: dict[tuple[Signal, Form], Callable[[bytes], Decoded]] = {
    ("traces", "protobuf"): traces_protobuf,
    ("traces", "json"): traces_json,
    ("logs", "protobuf"): logs_protobuf,
    ("logs", "json"): logs_json,
}


class Sink(Protocol):
    """What stores: the writer."""

    def submit(self, decoded: Decoded) -> "Future[Receipt]":
        """Resolves after the commit. Raises Busy or Unavailable."""
        ...


class Exporter:
    """Takes requests of all transports. `counts` says what came; metrics are counted and dropped, or refused (H-18)."""

    def __init__(
        self,
        sink: Sink,
        budget: ByteBudget | None = None,
        largest: int = LARGEST,
        redact: Callable[[Decoded], Decoded] | None = None,
        *,
        metrics: Literal["drop", "refuse"] = "drop",
        pace: Pace | None = None,
    ) -> None:
        self._sink = sink
        self._redact = redact or (lambda decoded: decoded)
        self.budget = budget or ByteBudget()
        self.largest = largest
        """Bytes of one request, as sent and inflated (C-09)."""
        self.pace = pace or Pace()
        self.signals: frozenset[Signal] = frozenset(
            signal for signal in get_args(Signal) if signal != "metrics" or metrics == "drop"
        )
        """What is taken; for any other signal there is no path and no method."""
        self._decoding = asyncio.Semaphore(_DECODING)
        self.counts: dict[str, int] = {}

    async def export(self, signal: Signal, form: Form, body: bytes, *, gzipped: bool = False) -> Answer:
        """One request, answered. Never raises, but for cancellation; the commit goes on without its client (G-11)."""
        self._count(signal, 1)
        if signal == "metrics":
            return self._drop_metrics(body)
        if self.pace.late(len(body)):
            return reply.retry(reply.BUSY, "the collector is busy; send again later", reply.LATER)
        inflated, number = _Share(self.budget), self.pace.enter(len(body))
        try:
            decoded = await self._decode(signal, form, body, inflated if gzipped else None)
            receipt = await asyncio.wrap_future(self._sink.submit(decoded))
        except (DecodeError, EncodingError) as problem:
            return Answer(reply.MALFORMED, str(problem))
        except TooLarge:
            return Answer(reply.TOO_LARGE, "the inflated body is too large; send fewer rows in a request")
        except NoRoom:
            return reply.retry(reply.BUSY, "the collector is busy; send again later")
        except Busy as problem:
            return reply.retry(reply.BUSY, str(problem), problem.retry_after)
        except Unavailable as problem:
            return reply.retry(reply.UNAVAILABLE, str(problem), problem.retry_after)
        except Exception:  # noqa: BLE001 -- what it was is for the log; the client keeps its data and sends again
            _log.exception("an export failed")
            return reply.retry(reply.UNAVAILABLE, "the collector could not store the request; send again later")
        finally:
            inflated.give_back()
            self.pace.leave(number)
        rejected = _sum(decoded.rejected, receipt.rejected)
        return reply.stored(signal, decoded.delivered, rejected, decoded.warnings)

    def trouble(self) -> Trouble | None:
        """Whether a request would be refused now for want of memory or time (H-19)."""
        return "queue_full" if self.budget.full or self.pace.late() else None

    async def _decode(self, signal: Signal, form: Form, body: bytes, inflated: "_Share | None") -> Decoded:
        decode = _DECODERS[signal, form]

        def read() -> Decoded:
            return self._redact(decode(body if inflated is None else gunzip(body, inflated.take, self.largest)))

        if len(body) <= (INLINE if inflated is None else INLINE // 8):
            return read()
        async with self._decoding:
            return await asyncio.to_thread(read)

    def _drop_metrics(self, body: bytes) -> Answer:
        if not self.counts.get("metrics_bytes"):
            _log.info("Metrics are accepted and dropped: tracegrade keeps traces and logs.")
        self._count("metrics_bytes", len(body))
        return Answer(reply.ACCEPTED)

    def _count(self, name: str, by: int) -> None:
        self.counts[name] = self.counts.get(name, 0) + by


class _Share:
    """What one request took of the budget."""

    def __init__(self, budget: ByteBudget) -> None:
        self._budget = budget
        self._taken = 0

    def take(self, size: int) -> bool:
        """Take more."""
        if not self._budget.take(size):
            return False
        self._taken += size
        return True

    def give_back(self) -> None:
        """Give back everything."""
        self._budget.give(self._taken)
        self._taken = 0


def _sum(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    return {code: first.get(code, 0) + second.get(code, 0) for code in {**first, **second}}
