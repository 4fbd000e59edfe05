"""The path of an export, without a transport."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from typing import Any

from collector.answer.local import LocalStore
from collector.receive import reply
from collector.receive.admission import ByteBudget
from collector.receive.export import Exporter
from collector.receive.pace import Pace
from collector.receive.reply import Answer
from collector.store.writing.limits import WriterLimits
from tests.decode.samples import json_of, request, span

BODY = request(span()).SerializeToString()


def run(talk: Callable[[Exporter], Awaitable[Answer]], pace: Pace | None = None, **limits: Any) -> Answer:
    """Talk to an exporter over a store in memory."""

    async def go() -> Answer:
        with LocalStore(":memory:", limits=WriterLimits(**limits)) as store:
            return await talk(Exporter(store.writer, ByteBudget(1 << 20), pace=pace))

    return asyncio.run(go())


def test_stored_means_stored():
    """The answer comes with the commit."""
    assert run(lambda exporter: exporter.export("traces", "protobuf", BODY)).outcome is reply.ACCEPTED


def test_a_full_queue_puts_off():
    """Beyond the writer's queue a request is refused for now (G-03)."""

    async def talk(exporter: Exporter) -> Answer:
        first = asyncio.create_task(exporter.export("traces", "protobuf", BODY))
        for _ in range(5):
            await asyncio.sleep(0)  # until it waits for its commit
        refused = await exporter.export("traces", "json", json_of(request(span())))  # another desk: it waits for nobody
        assert (await first).outcome is reply.ACCEPTED
        return refused

    assert run(talk, queue_bytes=10, seconds=0.3).outcome is reply.BUSY


def test_what_would_wait_too_long_is_put_off():
    """While the oldest request waits for longer than the deadline the next is refused before it is decoded (G-03)."""

    async def talk(exporter: Exporter) -> Answer:
        first = asyncio.create_task(exporter.export("traces", "protobuf", BODY))
        while not exporter.pace.late():  # noqa: ASYNC110 -- time alone makes it late
            await asyncio.sleep(0.001)
        assert exporter.trouble() == "queue_full"
        refused = await exporter.export("traces", "protobuf", b"never decoded")
        assert (await first).outcome is reply.ACCEPTED
        assert exporter.trouble() is None
        return refused

    answer = run(talk, pace=Pace(deadline=0.01), seconds=0.3)
    assert (answer.outcome, answer.outcome.retryable) == (reply.BUSY, True)


def test_inflated_bytes_are_given_back():
    """Whatever the outcome, the budget is as before (X-06)."""

    async def talk(exporter: Exporter) -> Answer:
        answer = Answer(reply.ACCEPTED)
        for body in (gzip.compress(BODY), b"no gzip", gzip.compress(bytes(3 << 20)), gzip.compress(b"\xff" * 99)):
            answer = await exporter.export("traces", "protobuf", body, gzipped=True)
            assert exporter.budget.taken == 0
        return answer

    assert run(talk).outcome is reply.MALFORMED


def test_what_comes_is_counted():
    """Requests by signal, and the bytes of metrics (H-18)."""

    async def talk(exporter: Exporter) -> Answer:
        await exporter.export("logs", "json", b"{}")
        await exporter.export("traces", "json", b"{}")
        answer = await exporter.export("metrics", "json", b"12345")
        assert exporter.counts == {"logs": 1, "traces": 1, "metrics": 1, "metrics_bytes": 5}
        return answer

    assert run(talk).outcome is reply.ACCEPTED
