"""Requests at a steady rate, from a process of its own, over several connections."""

import http.client
import os
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import quantiles

from tests.bench.acknowledged import AGAIN, REFUSED, Address, must_be_whole
from tests.bench.report import Figure

CONNECTIONS = 4


@dataclass(frozen=True)
class Sent:
    """What became of the requests: the seconds from the moment when each was due to its answer, and the refusals."""

    waits: list[float]
    refused: int


@dataclass(frozen=True)
class Flow:
    """Requests that are being sent. `due` is when each is due, by `time.monotonic()`."""

    due: list[float]
    sent: Future[Sent]

    def seconds(self) -> float:
        """From the first request to the last answer, when all are answered."""
        return max(at + wait for at, wait in zip(self.due, self.sent.result().waits, strict=True)) - self.due[0]


@contextmanager
def sender() -> Generator[ProcessPoolExecutor]:
    """A process that sends, already started."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
        other.submit(os.getpid).result()
        yield other


def begin(other: ProcessPoolExecutor, address: Address, bodies: Sequence[bytes], per_second: float) -> Flow:
    """Send so many of these requests a second from now on, after all are handed over (300 MB take a second)."""
    other.submit(hold, bodies).result()
    first = time.monotonic() + 0.1
    due = [first + number / per_second for number in range(len(bodies))]
    return Flow(due, other.submit(send, address, due))


_held: list[bytes] = []
"""In the process that sends: what it is to send."""


def hold(bodies: Sequence[bytes]) -> None:
    """Have these requests ready."""
    _held[:] = bodies


def send(address: Address, due: Sequence[float]) -> Sent:
    """Send each request that is held when it is due, and again where it is refused for now."""
    bodies = _held
    answered, refused = [0.0] * len(bodies), [0] * CONNECTIONS

    def work(first: int) -> None:
        with closing(http.client.HTTPConnection(*address)) as connection:
            for number in range(first, len(bodies), CONNECTIONS):
                time.sleep(max(0.0, due[number] - time.monotonic()))
                while not _give(connection, bodies[number]):
                    refused[first] += 1
                    time.sleep(AGAIN)
                answered[number] = time.monotonic() - due[number]

    threads = [threading.Thread(target=work, args=(first,)) for first in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Sent(answered, sum(refused))


def _give(connection: http.client.HTTPConnection, body: bytes) -> bool:
    """Whether one request is acknowledged; False: refused for now."""
    connection.request("POST", "/v1/traces", body, {"content-type": "application/x-protobuf"})
    response = connection.getresponse()
    answer = response.read()
    if response.status == http.HTTPStatus.OK:
        must_be_whole(answer)
    elif response.status not in REFUSED:
        raise RuntimeError(f"HTTP {response.status}")
    return response.status == http.HTTPStatus.OK


def ranks(what: str, values: list[float]) -> Figure:
    """The middle one, and the one that 1 of 100 exceeds."""
    cuts = quantiles(values, n=100, method="inclusive") if len(values) > 1 else values * 99
    return {f"{what}: p50": cuts[49], f"{what}: p99": cuts[98]}
