"""Clients that send prepared bodies over real sockets and count what was acknowledged. A refusal is sent again."""

import http.client
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
Address = tuple[str, int]
Send = Callable[[bytes], bool]
"""Sends one body and says whether it was acknowledged; False: refused for now."""


def over_http(address: Address) -> Iterator[Send]:
    """One kept-alive connection (OTLP/HTTP with protobuf)."""
    with closing(http.client.HTTPConnection(*address)) as connection:

        def send(body: bytes) -> bool:
            connection.request("POST", "/v1/traces", body, {"content-type": "application/x-protobuf"})
            response = connection.getresponse()
            answer = response.read()
            if response.status == http.HTTPStatus.OK:
                _must_be_whole(answer)
            elif response.status not in (http.HTTPStatus.TOO_MANY_REQUESTS, http.HTTPStatus.SERVICE_UNAVAILABLE):
                raise RuntimeError(f"HTTP {response.status}")
            return response.status == http.HTTPStatus.OK

        yield send


def over_grpc(address: Address) -> Iterator[Send]:
    """One connection of its own (OTLP/gRPC)."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel("{}:{}".format(*address), options) as channel:
        export = channel.unary_unary(METHOD)

        def send(body: bytes) -> bool:
            try:
                _must_be_whole(export(body, timeout=30))
            except grpc.RpcError as error:
                code = error.code() if isinstance(error, grpc.Call) else None
                if code in (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE):
                    return False
                raise
            return True

        yield send


PROTOCOLS = {"http": over_http, "grpc": over_grpc}


def deliver(protocol: str, address: Address, bodies: Sequence[bytes], connections: int) -> tuple[float, int]:
    """Send all bodies over this many connections at once: the seconds until the last answer, and the refusals."""
    refused: list[int] = []
    failed: list[BaseException] = []
    ready = threading.Barrier(connections + 1)

    def work(mine: Sequence[bytes]) -> None:
        try:
            for send in PROTOCOLS[protocol](address):
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
        time.sleep(0.05)
    return refusals


def _must_be_whole(answer: bytes) -> None:
    if answer and ExportTraceServiceResponse.FromString(answer).partial_success.rejected_spans:
        raise RuntimeError("the collector rejected spans")
