"""From the end of a run to its tree, while spans keep coming: `python -m tests.bench.freshness`.

A process of its own sends whole runs at a given rate. A few runs a second are looked for, each by its trace id, until its tree
can be read. All times count from the moment when the run's last span was due, so that an overload is never left out.
"""

import os
import time
from collections.abc import Iterator, Sequence

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

import collector
from tests.bench.bodies import RUN, requests
from tests.bench.report import Figure, arguments, show
from tests.bench.server import Server, serving
from tests.bench.steady import begin, hold, ranks, send, sender

SPANS_A_REQUEST = 8 * RUN
LOOK = 0.2
"""Seconds between two looks for a run that cannot be read yet."""

RUNS_A_SECOND = 4
"""Runs that are looked for: reading must not be the load that is measured."""

PATIENCE = 120.0
"""Seconds after the last request: by then the bench gives up."""

VARIANTS = (("runs are read", True, True), ("nobody reads", True, False), ("no trees", False, False))


def figures(rate: int, seconds: int) -> Iterator[Figure]:
    """With somebody who reads runs, with nobody, and without any trees."""
    bodies = list(requests(max(1, rate * seconds // SPANS_A_REQUEST) * SPANS_A_REQUEST, SPANS_A_REQUEST))
    for name, trees, reads in VARIANTS:
        with serving(trees=trees) as server:
            found = measure(server, bodies, rate, reads=reads)
        yield {"bench": f"{rate} spans/s, {name}"} | found | {"load of the machine": os.getloadavg()[0]}


def measure(server: Server, bodies: Sequence[bytes], rate: int, *, reads: bool) -> Figure:
    """Send all bodies at this rate; how long the answers took and, where somebody reads, the trees."""
    step = max(1, rate // SPANS_A_REQUEST // RUNS_A_SECOND)
    with sender() as other:
        if reads:  # the first tree starts the process that builds: that is nobody's waiting time
            (first,) = requests(RUN, RUN, seed=2)
            hold([first])
            send(server.http, [time.monotonic()])
            readable(server, {last_trace(first): time.monotonic()})
        flow = begin(other, server.http, bodies, rate / SPANS_A_REQUEST)
        wanted = {last_trace(body): at for body, at in list(zip(bodies, flow.due, strict=True))[::step]}
        trees = readable(server, wanted) if reads else []
        answers = flow.sent.result().waits
    rates = {"spans/s": len(bodies) * SPANS_A_REQUEST / flow.seconds()}
    found = rates | ranks("answer, ms", [1e3 * a for a in answers])
    return found | (ranks("tree, s", trees) | {"runs looked for": len(trees)} if reads else {})


def readable(server: Server, due: dict[str, float]) -> list[float]:
    """Look for these runs, in their order, from the moment when each was due: the seconds until it could be read."""
    waits: list[float] = []
    open_ones = dict(due)
    latest = max(due.values()) + PATIENCE
    with collector.connect(server.store) as store:
        while open_ones and time.monotonic() < latest:
            time.sleep(LOOK)
            for trace in [trace for trace, at in open_ones.items() if at <= time.monotonic()]:
                if not store.query("run", id=trace).num_rows:
                    break  # nor can those that were due later, most likely
                waits.append(time.monotonic() - open_ones.pop(trace))
    if open_ones:
        raise RuntimeError(f"{len(open_ones)} runs could not be read within {PATIENCE:.0f} s")
    return waits


def last_trace(body: bytes) -> str:
    """The trace id of the last run in a request."""
    resources = ExportTraceServiceRequest.FromString(body).resource_spans
    return resources[-1].scope_spans[-1].spans[-1].trace_id.hex()


if __name__ == "__main__":
    options = arguments(__doc__ or "", rate=5_000, seconds=30)
    show(figures(options.rate, options.seconds), as_json=options.json)
