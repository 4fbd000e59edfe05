"""OTLP/gRPC clients, one in a thread for each connection."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence

import grpc

from tests.bench.acknowledged import AGAIN, Address, must_be_whole

METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
Send = Callable[[bytes], bool]
"""Sends one body and says whether it was acknowledged; False: refused for now."""


def _connection(address: Address) -> Iterator[Send]:
    """One connection of its own (OTLP/gRPC)."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel("{}:{}".format(*address), options) as channel:
        export = channel.unary_unary(METHOD)

        def send(body: bytes) -> bool:
            try:
                must_be_whole(export(body, timeout=30))
            except grpc.RpcError as error:
                code = error.code() if isinstance(error, grpc.Call) else None
                if code in (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE):
                    return False
                raise
            return True

        yield send


def deliver(address: Address, bodies: Sequence[bytes], connections: int) -> tuple[float, int]:
    """Send all bodies over this many connections at once: the seconds until the last answer, and the refusals."""
    refused: list[int] = []
    failed: list[BaseException] = []
    ready = threading.Barrier(connections + 1)

    def work(mine: Sequence[bytes]) -> None:
        try:
            for send in _connection(address):
                ready.wait()
                refused.append(sum(_send(send, body) for body in mine))
        except BaseException as error:  # noqa: BLE001 (raised again by the caller)
            failed.append(error)
            ready.abort()

    threads = [threading.Thread(target=work, args=(bodies[i::connections],)) for i in range(connections)]
    for thread in threads:
        thread.start()
    ready.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return time.perf_counter() - began, sum(refused)


def _send(send: Send, body: bytes) -> int:
    refusals = 0
    while not send(body):
        refusals += 1
        time.sleep(AGAIN)
    return refusals
