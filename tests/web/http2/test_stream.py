"""One stream."""

from collector.web.http2.stream import Stream
from tests.web.http2.speaking import Echo, EchoCall


def test_a_call_is_dropped_once() -> None:
    """Whatever ends its body, what it holds is given back, and not again."""
    service, stream = Echo(), Stream(1, 0.0, 10, 10)
    stream.give_up()
    stream.call = EchoCall(service, "/echo")
    stream.give_up()
    stream.give_up()
    assert service.dropped == 1
