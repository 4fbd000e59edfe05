"""A store of millions of spans: filled, then asked while more arrive: `python -m tests.bench.large`.

First a collector takes the spans as fast as it can and builds their trees; after each tenth stands its memory. Then, while a
process of its own sends spans at a steady rate, it is asked in turn what people ask: `runs`, `show`, the README's statements, a
filter on an attribute without a column. With --store the store stays, and the next time it is not filled but asked at once.

With --trees the rest is left without trees, and so is what arrives; a collector that opens such a store later builds them all.
"""

import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import collector
from collector.config import Settings
from tests.bench.bodies import RUN, requests
from tests.bench.clients import deliver
from tests.bench.report import Figure, options, show
from tests.bench.server import MIB, Server, serving
from tests.bench.steady import begin, ranks, sender
from tests.docs.readme import README, blocks

SPANS_A_REQUEST = 32 * RUN
"""While the store is filled."""

CONNECTIONS = 4
AT_ONCE = 100
"""Requests that are prepared before the clock starts (70 MB)."""

STEADY = 8 * RUN
"""Spans a request at the steady rate, as in the bench `freshness`."""

KNOWN = 100
"""Runs that are shown in turn, spread over the store: their ids are drawn by lot, and these are the smallest."""

ATTRIBUTE = """
SELECT trace_id, span_id FROM spans
WHERE attribute(attributes, 'gen_ai.tool.call.arguments') = '{"order_id": "A-17"}'
"""
"""No column holds this attribute, so that all spans' attributes are read, and parsed where they have it: of nearly half."""

AGE = Settings().sql_age_seconds
"""How old an answer to free SQL may be for `tracegrade sql`."""

TREES = "settling, as `runs` and `sql` begin"
LAST = 0.2
"""The part of the time in which this is asked, by itself: while it lasts nobody else gets a tree that is not built yet."""

Question = Callable[[], object]


class Times:
    """How long a question took, each time."""

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._failed = 0

    def ask(self, question: Question) -> None:
        """Once more."""
        try:
            self._seconds.append(_seconds(question))
        except collector.StoreError as error:
            self._failed += 1
            print(error, file=sys.stderr)

    def figure(self) -> Figure:
        """The middle one and the longest; failures are counted, not timed."""
        ranked = {"p50, s": median(self._seconds), "max, s": max(self._seconds)} if self._seconds else {}
        return ranked | {"asked": len(self._seconds), "failed": self._failed}


def figures(spans: int, trees: int, rate: int, seconds: int, store: Path | None) -> Iterator[Figure]:
    """Fill the store, unless there is one already, then ask. The runs of the first `trees` spans get trees."""
    bodies = requests(spans, SPANS_A_REQUEST)
    with tempfile.TemporaryDirectory() as folder:
        store = store or Path(folder) / "large.duckdb"
        parts = [part for part in ((min(trees, spans), True), (spans - trees, False)) if part[0] > 0]
        if store.exists():
            parts = [(0, True)]
        for left, (count, built) in zip(reversed(range(len(parts))), parts, strict=True):
            began = time.monotonic()
            with serving(store, trees=built) as server:
                opened = time.monotonic() - began
                yield from _tenths(server, bodies, count, built=built)
                if not left:
                    yield from asked(server, rate, seconds)
            yield {
                "bench": f"the collector of {count:,} spans, at its end",
                "opened after, s": opened,
                "peak MiB": server.peak_mib["server"],
                "worker peak MiB": server.peak_mib["worker"],
            }


def _tenths(server: Server, bodies: Iterator[bytes], spans: int, *, built: bool) -> Iterator[Figure]:
    total, done = -(-spans // SPANS_A_REQUEST), 0
    for tenth in range(1, 11):
        before, due, took = done, -(-total * tenth // 10), 0.0
        while part := list(itertools.islice(bodies, min(AT_ONCE, due - done))):
            took += deliver("http", server.http, part, CONNECTIONS)[0]
            done += len(part)
            print(f"{done * SPANS_A_REQUEST:,} of {spans:,} spans", file=sys.stderr)
        if done == before:
            continue
        waited = _seconds(_settled(server)) if built else 0.0
        memory = server.resident_mib()
        yield {
            "bench": f"{tenth}0 % of {spans:,} spans, {'trees' if built else 'no trees'}",
            "spans/s": (done - before) * SPANS_A_REQUEST / took,
            "then to the last tree, s": waited,
            "MiB": memory["server"],
            "worker MiB": memory["worker"],
            "store, MiB": _size(server.store),
        }


def _settled(server: Server) -> Question:
    def settle() -> None:
        with collector.connect(server.store) as store:
            store.settle()

    return settle


def asked(server: Server, rate: int, seconds: int) -> Iterator[Figure]:
    """How long each question takes while spans arrive, and what became of those."""
    count = max(1, rate * seconds // STEADY)
    bodies = list(requests(count * STEADY, STEADY, seed=time.time_ns()))  # others than those that are there
    with collector.connect(server.store) as store, sender() as other:
        listed = questions(store)
        found = {name: Times() for name in [*listed, TREES]}
        flow = begin(other, server.http, bodies, rate / STEADY)
        until = flow.due[0] + seconds * (1 - LAST)
        for turn in itertools.count():
            for name, question in listed.items():
                if not turn or time.monotonic() < until:
                    found[name].ask(question)
            if time.monotonic() >= until:
                break
        while not flow.sent.done():
            found[TREES].ask(store.settle)
        took = flow.seconds()
        sent, memory, size = flow.sent.result(), server.resident_mib(), _size(server.store)
    for name, times in found.items():
        yield {"bench": name} | times.figure()
    yield {
        "bench": f"{rate} spans/s meanwhile, {seconds} s",
        "spans/s": len(bodies) * STEADY / took,
        **ranks("answer, ms", [1e3 * wait for wait in sent.waits]),
        "sent again": sent.refused,
        "MiB": memory["server"],
        "worker MiB": memory["worker"],
        "store, MiB": size,
        "load of the machine": os.getloadavg()[0],
    }


def questions(store: collector.Store) -> dict[str, Question]:
    """What people ask."""
    known = store.sql(f"SELECT run_id FROM runs ORDER BY run_id LIMIT {KNOWN}", seconds=60)["run_id"].to_pylist()
    draw = random.Random(1)

    def shown(length: int | None, name: str) -> Question:
        def show_one() -> None:
            begun = draw.choice(known)[:length]
            store.settle([begun])
            if not store.query(name, id=begun).num_rows:
                raise collector.StoreError(f"no run {begun}")

        return show_one

    def told() -> None:
        if not store.query("messages", runs=[draw.choice(known)]).num_rows:
            raise collector.StoreError("no messages")

    def select(sql: str) -> Question:
        return lambda: store.select(sql, max_age=AGE).table()

    fixed: dict[str, Question] = {
        "runs": lambda: store.query("runs", limit=50),
        "runs of a service": lambda: store.query("runs", limit=50, service="bench-agent"),
        "status": lambda: store.query("status"),
    }
    if known:
        fixed |= {
            "show, whole id": shown(None, "run"),
            "show, beginning of an id": shown(12, "run_beginning"),
            "show --messages, the messages": told,
        }
    statements = [block.text for block in blocks(README.read_text()) if block.language == "sql"]
    free = {f"README: {sql.split(chr(10), 1)[0][:50]}": select(sql) for sql in statements}
    return fixed | free | {"a filter on an attribute": select(ATTRIBUTE)}


def _seconds(question: Question) -> float:
    begun = time.monotonic()
    question()
    return time.monotonic() - begun


def _size(store: Path) -> float:
    return sum(file.stat().st_size for file in store.parent.glob(f"{store.name}*")) / MIB


if __name__ == "__main__":
    parser = options(__doc__ or "", spans=5_000_000, rate=5_000, seconds=60)
    parser.add_argument("--trees", type=int, help="spans whose runs get trees; default all")
    parser.add_argument("--store", type=Path, help="where the store is made and left, or one that is there already")
    given = parser.parse_args()
    trees = given.spans if given.trees is None else given.trees
    show(figures(given.spans, trees, given.rate, given.seconds, given.store), as_json=given.json)
