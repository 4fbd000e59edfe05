"""What a running collector can say about itself: the page of metrics, and the facts of `tracegrade status`."""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.access.failures import Failures
from collector.answer.local import LocalStore
from collector.measure.page import Value, page
from collector.measure.rates import Rates
from collector.measure.tally import Labels, Tally
from collector.receive.admission import ByteBudget
from collector.receive.flow import Flow
from collector.store_files import LOG, SPOOLS, beside

Counted = list[tuple[Labels, int]]


@dataclass(kw_only=True)
class Observation:
    """Reads what the parts of the collector counted; costs nothing until somebody asks.

    `trouble` says in a word why data is not taken now (None: it is). `listens` are the addresses by transport.
    """

    store: LocalStore
    flow: Flow
    budget: ByteBudget
    limit_bytes: int
    http: Tally
    grpc: Tally
    failures: Failures
    trouble: Callable[[], str | None]
    listens: Mapping[str, str] = field(default_factory=dict)
    statements: Tally = field(default_factory=Tally)
    started: float = field(default_factory=time.time)
    _rates: Rates = field(default_factory=Rates)

    def note(self) -> None:
        """Remember today's totals, for the rates; to be called every few seconds (`rates.EVERY`)."""
        self._rates.note(time.monotonic(), self._totals())

    def page(self) -> bytes:
        """The page of metrics (see `measure.families`)."""
        return page(self._values())

    def status(self) -> dict[str, Any]:
        """The facts for `tracegrade status`, as JSON has them. Counts are since the start."""
        pending, measured, flow = self.store.settler.pending, self.store.writer.measured, self.flow
        rates, over = self._rates.now(time.monotonic(), self._totals())
        commits, trouble = measured.commits.now(), self.trouble()
        return {
            "pid": os.getpid(),
            "started": self.started,
            "seconds": max(time.time() - self.started, 0.0),
            "listens": dict(self.listens),
            "ready": trouble is None,
            "trouble": trouble,
            "file_bytes": file_sizes(self.store.path),
            "per_second": rates,
            "per_second_over": over,
            "received": _flat(flow.received.items()),
            "stored": _flat(flow.stored.items()),
            "duplicate": _flat(flow.duplicate.items()),
            "put_off": _flat(flow.put_off),
            "refused": _flat(flow.refused),
            "revisions": measured.revisions,
            "answers": _flat(self._answers()),
            "credentials_refused": _flat(self.failures.refused.items()),
            "statements": _flat(self.statements.items()),
            "in_flight_bytes": self.budget.taken,
            "queue_requests": flow.waiting,
            "queue_bytes": self.store.writer.queue.waiting_bytes,
            "groups": commits.count,
            "commit_seconds": commits.seconds / commits.count if commits.count else None,
            "spooled": self.store.writer.queue.answered,
            "commit_failures": measured.failures,
            "last_checkpoint": measured.checkpoint_at or None,
            "newest_commit": self.store.writer.seq,
            "waiting_traces": len(pending),
            "lag_seconds": pending.lag(),
        }

    def _values(self) -> dict[str, Value]:
        pending, writer, flow = self.store.settler.pending, self.store.writer, self.flow
        measured = writer.measured
        return {
            "tracegrade_rows_received_total": flow.received.items(),
            "tracegrade_rows_stored_total": flow.stored.items(),
            "tracegrade_rows_duplicate_total": flow.duplicate.items(),
            "tracegrade_rows_refused_total": flow.refused,
            "tracegrade_rows_put_off_total": flow.put_off,
            "tracegrade_span_revisions_total": measured.revisions,
            "tracegrade_requests_total": self._answers(),
            "tracegrade_credentials_refused_total": self.failures.refused.items(),
            "tracegrade_in_flight_bytes": self.budget.taken,
            "tracegrade_in_flight_limit_bytes": self.limit_bytes,
            "tracegrade_queue_requests": flow.waiting,
            "tracegrade_queue_bytes": writer.queue.waiting_bytes,
            "tracegrade_commit_seconds": measured.commits.now(),
            "tracegrade_requests_spooled_total": writer.queue.answered,
            "tracegrade_commit_failures_total": measured.failures,
            "tracegrade_checkpoint_seconds": measured.checkpoints.now(),
            "tracegrade_checkpoint_timestamp_seconds": measured.checkpoint_at,
            "tracegrade_newest_commit": writer.seq,
            "tracegrade_waiting_traces": len(pending),
            "tracegrade_tree_lag_seconds": pending.lag(),
            "tracegrade_sql_statements_total": self.statements.items(),
            "tracegrade_store_bytes": [((name,), size) for name, size in file_sizes(self.store.path).items()],
            "tracegrade_ready": int(self.trouble() is None),
            "tracegrade_start_timestamp_seconds": self.started,
        }

    def _answers(self) -> Counted:
        doors = (("grpc", self.grpc), ("http", self.http))
        return [((transport, *labels), count) for transport, tally in doors for labels, count in tally.items()]

    def _totals(self) -> dict[str, int]:
        return {
            "spans": self.flow.stored.total("spans"),
            "logs": self.flow.stored.total("logs"),
            "requests": self.grpc.total() + self.http.total(),
        }


def _flat(counted: Counted) -> dict[str, int]:
    return {" ".join(labels): count for labels, count in counted}


def file_sizes(path: str) -> dict[str, int]:
    """Bytes of a store's file, its log and its spool, as `store`, `log` and `spool`; what is not there is left out."""
    found: dict[str, int] = {}
    spool = [("spool", beside(path, ending)) for ending in SPOOLS]
    for name, file in (("store", path), ("log", beside(path, LOG)), *spool):
        with suppress(OSError):  # in memory, or no log since the last checkpoint
            found[name] = found.get(name, 0) + Path(file).stat().st_size
    return found
