"""Spoilt requests to a real collector: the short form of `python -m tests.fuzz`."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.own import Own, own
from tests.decode.samples import request, span
from tests.fuzz import frames, heads
from tests.fuzz.judge import Sender
from tests.fuzz.mutate import Body, mutated, seeds

QUICK = settings(max_examples=60, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def to(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Own]:
    """A collector for all tests of this file."""
    with own(tmp_path_factory.mktemp("fuzz")) as found:
        yield found


@QUICK
@given(st.randoms(use_true_random=False))
def test_spoilt_bodies_over_http(to: Own, random: Random) -> None:
    """Whatever body comes, the answer is one that OTLP/HTTP knows, and the client knows what to do."""
    with Sender(to) as sender:
        assert sender.over_http(mutated(random)) is None


@QUICK
@given(st.randoms(use_true_random=False).map(mutated).filter(lambda body: body.form == "protobuf"))
def test_spoilt_bodies_over_grpc(to: Own, body: Body) -> None:
    """Whatever body comes, the code is never UNKNOWN or INTERNAL."""
    with Sender(to) as sender:
        assert sender.over_grpc(body) is None


@QUICK
@given(st.randoms(use_true_random=False))
def test_spoilt_heads(to: Own, random: Random) -> None:
    """Whatever comes above the body, the connection ends with an answer that HTTP knows, or without one."""
    assert heads.objection(to.http, heads.spoilt(random)) is None


@QUICK
@given(st.randoms(use_true_random=False))
def test_spoilt_frames(to: Own, random: Random) -> None:
    """Whatever comes of HTTP/2 above the message, the connection ends, and never for a fault of ours."""
    assert frames.objection(to.grpc, frames.spoilt(random)) is None


def test_afterwards_a_good_span_is_stored(to: Own) -> None:
    """What was sent before harmed nothing: the valid bodies are taken, a span is stored once, the log has no traceback."""
    with Sender(to) as sender:
        assert [sender.over_http(body) for body in seeds()] == [None] * len(seeds())
        trace = b"after all other!"
        good = Body("traces", "protobuf", request(span(trace_id=trace)).SerializeToString())
        assert sender.over_http(good) is sender.over_grpc(good) is None
    assert len(to.rows(trace)) == 1
    assert "Traceback" not in to.log
