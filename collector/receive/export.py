"""The one path of an export, whatever brought it: bytes → columns → store → answer.

Success is answered only after the writer's future resolved, that is when the rows are on the disk (C-11).
"""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Literal, Protocol, get_args

from collector.decode import (
    Batch,
    Decoded,
    DecodeError,
    logs_json_together,
    logs_protobuf_together,
    traces_json_together,
    traces_protobuf_together,
)
from collector.receive import reply
from collector.receive.admission import ByteBudget
from collector.receive.desk import HOLD, Desk
from collector.receive.encoding import LARGEST, EncodingError, NoRoom, TooLarge, gunzip
from collector.receive.pace import Pace
from collector.receive.readiness import Trouble
from collector.receive.reply import Answer, Form, Signal
from collector.store.errors import Busy, Unavailable
from collector.store.writing.group import Receipt

_log = logging.getLogger(__name__)

_GROWTH = 8
"""How much larger an inflated body is, about."""

_READERS: dict[tuple[Signal, Form], Callable[[Sequence[bytes]], Batch]] = {
    ("traces", "protobuf"): traces_protobuf_together,
    ("traces", "json"): traces_json_together,
    ("logs", "protobuf"): logs_protobuf_together,
    ("logs", "json"): logs_json_together,
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
        hold: float = HOLD,
    ) -> None:
        self._redact = redact or (lambda decoded: decoded)
        self._desks = {kind: Desk(self._reading(read), sink.submit, hold) for kind, read in _READERS.items()}
        self.budget = budget or ByteBudget()
        self.largest = largest
        """Bytes of one request, as sent and inflated (C-09)."""
        self.pace = pace or Pace()
        self.signals: frozenset[Signal] = frozenset(
            signal for signal in get_args(Signal) if signal != "metrics" or metrics == "drop"
        )
        """What is taken; for any other signal there is no path and no method."""
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
            share = await self._desks[signal, form].take(
                (lambda: gunzip(body, inflated.take, self.largest)) if gzipped else (lambda: body),
                len(body) * (_GROWTH if gzipped else 1),
            )
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
        return reply.stored(signal, share.delivered, share.rejected, share.warnings)

    def trouble(self) -> Trouble | None:
        """Whether a request would be refused now for want of memory or time (H-19)."""
        return "queue_full" if self.budget.full or self.pace.late() else None

    def _reading(self, read: Callable[[Sequence[bytes]], Batch]) -> Callable[[Sequence[bytes]], Batch]:
        def redacted(bodies: Sequence[bytes]) -> Batch:
            batch = read(bodies)
            batch.decoded = self._redact(batch.decoded)
            return batch

        return redacted

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
