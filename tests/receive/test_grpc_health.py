"""The health check of gRPC; over real channels it is tried with the server."""

import gzip

import pytest

from collector.receive.grpc_health import _NOT_FOUND, _NOT_SERVING, _SERVING, _UNREADABLE, HealthCheck
from collector.receive.readiness import Readiness
from collector.web.http2.calls import Reply
from collector.web.messages import Held


def check(message: bytes, *, gzipped: bool = False, well: bool = True) -> Reply:
    """One check of a server with the service `a.B`."""
    readiness = Readiness(lambda: None if well else "disk_low")
    return HealthCheck(readiness, {"a.B"}).call(message, Held(None), gzipped=gzipped)


@pytest.mark.parametrize("message", [b"", b"\x0a\x03a.B"])
def test_the_server_and_its_services(message: bytes) -> None:
    """All are as well as the server is (G-12)."""
    assert check(message) is _SERVING
    assert check(message, well=False) is _NOT_SERVING
    assert check(gzip.compress(message), gzipped=True) is _SERVING


def test_what_is_not_there() -> None:
    """Another service is not found, and what cannot be unpacked not read, a bomb among it."""
    assert check(b"\x0a\x01x") is _NOT_FOUND
    for message in (b"no gzip", gzip.compress(bytes(10_000))):
        assert check(message, gzipped=True) is _UNREADABLE
