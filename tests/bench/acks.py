"""How long an answer takes under a steady load: `python -m tests.bench.acks`.

Requests of 100 spans are due fifty times a second, over several connections, from a process of its own. Of each attempt
that was acknowledged the time from its sending to its answer counts. An attempt that was refused (while the log is written
into the file) is sent again after the delay that the answer asks for, and is counted. Beside it stands the time from the
moment when a request was due to its acknowledgement, refusals and waiting included.
"""

import http.client
import os
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from statistics import quantiles

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.bench.acknowledged import Address
from tests.bench.bodies import requests
from tests.bench.report import Figure, arguments, show
from tests.bench.server import MIB, serving

CONNECTIONS = 32
SLOW = 2.0
"""Seconds that no answer may take."""


class Template:
    """A request whose ids can be exchanged for fresh ones, without serializing anything."""

    def __init__(self, spans: int) -> None:
        (self._data,) = requests(spans, spans)
        (scope,) = ExportTraceServiceRequest.FromString(self._data).resource_spans[0].scope_spans
        ids = {i for span in scope.spans for i in (span.trace_id, span.span_id, span.parent_span_id) if i}
        self._places = [(len(i), list(self._find(i))) for i in ids]

    def fresh(self, draw: random.Random) -> bytes:
        """The same request with other ids."""
        data = bytearray(self._data)
        for size, places in self._places:
            new = draw.randbytes(size)
            for place in places:
                data[place : place + size] = new
        return bytes(data)

    def _find(self, wanted: bytes) -> Iterator[int]:
        place = self._data.find(wanted)
        while place >= 0:
            yield place
            place = self._data.find(wanted, place + 1)


@dataclass
class Answers:
    """What came back. Times in seconds."""

    attempts: list[float] = field(default_factory=list)
    """From the sending of an acknowledged attempt to its answer."""
    due: list[float] = field(default_factory=list)
    """From the moment when a request was due to its acknowledgement."""
    refused: int = 0
    began: float = 0.0
    ended: float = 0.0


def figures(rate: int, per_second: int, seconds: int) -> Iterator[Figure]:
    """With trees being built meanwhile, and without."""
    for trees in (True, False):
        with serving(trees=trees) as server, ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
            answers = other.submit(send, server.http, rate, per_second, seconds).result()
            size = sum(f.stat().st_size for f in server.store.parent.iterdir()) / MIB
        found: Figure = {"bench": f"{rate} spans/s in {per_second} requests/s, {'trees' if trees else 'no trees'}"}
        found["spans/s"] = len(answers.due) * (rate // per_second) / (answers.ended - answers.began)
        for what, values in (("answer", answers.attempts), ("answer from due", answers.due)):
            cuts = quantiles(values, n=1000, method="inclusive") if len(values) > 1 else values * 999
            ranks = {"p50": cuts[499], "p99": cuts[989], "p99.9": cuts[998], "max": max(values)}
            found |= {f"{what}, ms: {name}": 1e3 * value for name, value in ranks.items()}
        slow = sum(a > SLOW for a in answers.attempts)
        found |= {"answers": len(answers.attempts), "refusals": answers.refused, f"answers over {SLOW:.0f} s": slow}
        yield found | {"store, MiB": size, "load of the machine": os.getloadavg()[0]}


def send(address: Address, rate: int, per_second: int, seconds: int) -> Answers:
    """Send at this rate and wait for all answers."""
    template, answers, lock = Template(rate // per_second), Answers(), threading.Lock()
    numbers = iter(range(per_second * seconds))
    answers.began = begin = time.monotonic() + 0.2

    def work(seed: int) -> None:
        draw, connection = random.Random(f"{os.getpid()} {seed}"), http.client.HTTPConnection(*address)
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                connection.close()
                return
            body, due = template.fresh(draw), begin + number / per_second
            time.sleep(max(0.0, due - time.monotonic()))
            while True:
                sent = time.monotonic()
                connection.request("POST", "/v1/traces", body, {"content-type": "application/x-protobuf"})
                response = connection.getresponse()
                response.read()
                now = time.monotonic()
                if response.status == http.client.OK:
                    break
                if response.status != http.client.SERVICE_UNAVAILABLE:
                    raise RuntimeError(f"HTTP {response.status}")
                with lock:
                    answers.refused += 1
                time.sleep(float(response.headers["Retry-After"]))
            with lock:
                answers.attempts.append(now - sent)
                answers.due.append(now - due)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.ended = time.monotonic()
    return answers


if __name__ == "__main__":
    options = arguments(__doc__ or "", rate=5_000, requests=50, seconds=300)
    show(figures(options.rate, options.requests, options.seconds), as_json=options.json)
