"""Counts the rows that pass from the receivers to the store: what came, and what became of it.

What came = stored + duplicate + refused + put off + what still waits.
"""

import threading
from concurrent.futures import Future

from collector.decode import Decoded
from collector.measure.tally import Tally
from collector.receive.export import Sink
from collector.store.errors import StoreError
from collector.store.writing.group import Receipt

_KINDS = (("spans",), ("logs",))


class Flow:
    """A sink before another one, whose `submit` belongs to the event loop.

    Receipts come on the writer's thread, or on this one where they were there already: hence a lock, which nobody waits for.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.received, self.stored, self.duplicate = Tally(*_KINDS), Tally(*_KINDS), Tally(*_KINDS)
        self._receipts = threading.Lock()
        self._handed = self._back = 0
        self._refused, self._unstorable, self._put_off, self._failed = Tally(), Tally(), Tally(*_KINDS), Tally()

    def submit(self, decoded: Decoded) -> "Future[Receipt]":
        """As the sink does it."""
        kind = decoded.kind
        self.received.add(kind, by=decoded.delivered)
        try:
            future = self._sink.submit(decoded)
        except StoreError:
            self._put_off.add(kind, by=decoded.rows)
            raise
        finally:
            for reason, number in decoded.rejected.items():  # what belongs to deleted traces was added on the way
                self._refused.add(kind, reason, by=number)
        if rows := decoded.rows:
            self._handed += 1
            future.add_done_callback(lambda done: self._settled(kind, rows, done))
        return future

    @property
    def waiting(self) -> int:
        """Requests that wait for their commit or are being committed."""
        return max(self._handed - self._back, 0)

    @property
    def refused(self) -> list[tuple[tuple[str, ...], int]]:
        """Rows by kind and reason, those that the database refused among them."""
        return sorted([*self._refused.items(), *self._unstorable.items()])

    @property
    def put_off(self) -> list[tuple[tuple[str, ...], int]]:
        """Rows by kind that were refused for now."""
        return _sum(self._put_off, self._failed)

    def _settled(self, kind: str, rows: int, done: "Future[Receipt]") -> None:
        try:
            receipt = done.result()
        except Exception:  # noqa: BLE001 -- whatever it was, the client is told to send again
            receipt = None
        if receipt is not None and receipt.later is not None:  # it is answered, and still on its way
            receipt.later.add_done_callback(lambda done: self._settled(kind, rows, done))
            return
        with self._receipts:
            self._back += 1
            if receipt is None:
                self._failed.add(kind, by=rows)
                return
            self.stored.add(kind, by=receipt.stored)
            self.duplicate.add(kind, by=receipt.duplicates)
            for reason, number in receipt.rejected.items():
                self._unstorable.add(kind, reason, by=number)


def _sum(first: Tally, second: Tally) -> list[tuple[tuple[str, ...], int]]:
    labels = {found for found, _ in (*first.items(), *second.items())}
    return sorted((found, first.total(*found) + second.total(*found)) for found in labels)
