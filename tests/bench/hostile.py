"""Hostile statements while spans keep coming: `python -m tests.bench.hostile`.

A process of its own sends spans at a given rate. Meanwhile two readers ask every statement of tests/answer/hostile_*.sql and
costly.sql in turn, each of which must be refused or stopped, and a count between them, which must be answered. At the end
all spans must be there, once.
"""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import cycle

import collector
from tests.answer.blocks import hostile, read
from tests.bench.bodies import requests
from tests.bench.report import Figure, arguments, show
from tests.bench.server import Server, serving
from tests.bench.steady import begin, ranks, sender

SPANS_A_REQUEST = 100
READERS = 2
SECONDS = 2.0
"""What a statement may take: long enough to hurt, short enough for all of them to have their turn."""

COUNT = "SELECT count(*) AS n, count(DISTINCT trace_id || span_id) AS different FROM spans"


def figures(rate: int, seconds: int) -> Iterator[Figure]:
    """How long acknowledgements took, how many requests were refused, and what became of the statements."""
    count = max(1, rate * seconds // SPANS_A_REQUEST)
    bodies = list(requests(count * SPANS_A_REQUEST, SPANS_A_REQUEST))
    for name, readers in (("nobody asks", 0), (f"{READERS} hostile readers", READERS)):
        with serving(trees=False) as server:
            found = measure(server, bodies, rate, readers)
        yield {"bench": f"{rate} spans/s, {name}"} | found | {"load of the machine": os.getloadavg()[0]}


def measure(server: Server, bodies: Sequence[bytes], rate: int, readers: int) -> Figure:
    """Send all bodies at this rate while so many readers ask."""
    asked = Asked(server)
    with sender() as other:
        flow = begin(other, server.http, bodies, rate / SPANS_A_REQUEST)
        threads = [threading.Thread(target=asked.work, args=(number,)) for number in range(readers)]
        for thread in threads:
            thread.start()
        sent = flow.sent.result()
        asked.enough.set()
        for thread in threads:
            thread.join()
    with collector.connect(server.store) as store:
        (row,) = store.sql(COUNT, seconds=120).to_pylist()
    spans = len(bodies) * SPANS_A_REQUEST
    return {
        "spans/s": spans / flow.seconds(),
        "requests refused": sent.refused,
        "spans missing": spans - row["different"],
        "spans twice": row["n"] - row["different"],
        **ranks("answer, ms", [1e3 * wait for wait in sent.waits]),
        "answer, ms: longest": 1e3 * max(sent.waits),
        "statements refused or stopped": asked.refused,
        "statements that got through": len(asked.through),
        "counts answered": len(asked.counts),
        "counts failed": len(asked.failed),
        **(ranks("count, s", asked.counts) if asked.counts else {}),
    }


class Asked:
    """What readers asked, and what became of it."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._costly = list(read("costly.sql"))
        self._hostile = [*hostile(), *self._costly]
        self.enough = threading.Event()
        self.refused = 0
        self.through: list[str] = []
        self.counts: list[float] = []
        self.failed: list[str] = []

    def work(self, number: int) -> None:
        """One reader: hostile statements in turn, and a count after every tenth."""
        with collector.connect(self._server.store) as store:
            for turn, block in enumerate(cycle(self._hostile[number::READERS])):
                if self.enough.is_set():
                    return
                try:
                    store.sql(block.sql, seconds=SECONDS)
                    if block not in self._costly:  # one of those that ended in time has cost no more than it may
                        self.through.append(block.title)
                except collector.StoreError:
                    self.refused += 1
                if turn % 10 == 0:
                    self._count(store)

    def _count(self, store: collector.Store) -> None:
        begun = time.monotonic()
        try:
            store.sql("SELECT count(*) FROM spans", seconds=30)
            self.counts.append(time.monotonic() - begun)
        except collector.StoreError as error:
            self.failed.append(str(error))


if __name__ == "__main__":
    options = arguments(__doc__ or "", rate=5_000, seconds=60)
    show(figures(options.rate, options.seconds), as_json=options.json)
