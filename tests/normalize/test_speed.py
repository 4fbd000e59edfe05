"""Time grows with the number of spans, not with its square."""

import gc
import time
from collections.abc import Callable, Iterator

import pyarrow as pa
import pytest

from collector import normalize
from tests.normalize.spans import Row, agent, asks, chat, logs, row, says, table, tool, user

pytestmark = pytest.mark.slow

X = {"order_id": "A-1234"}


def conversation(spans: int) -> Iterator[Row]:
    """One agent that asks its model again and again, each answer a call, each call with steps below it."""
    yield agent("a")
    for i in range(spans // 4):
        yield chat(f"m{i}", [user("go on")], [asks((f"c{i}", "look", X))], parent="a")
        yield tool(f"t{i}", "look", f"c{i}", X, "ok", parent="a")
        yield row(f"h{i}", {"http.request.method": "GET"}, parent=f"t{i}")
        yield row(f"d{i}", {"db.system": "postgresql"}, parent=f"h{i}")


def nameless(calls: int) -> Iterator[Row]:
    """One model call that asks for everything, and executions without call ids, all with equal arguments."""
    yield agent("a")
    yield chat("m", [user("all")], [asks(*((None, "look", X) for _ in range(calls)))], parent="a")
    for i in range(calls):
        yield tool(f"t{i}", "look", None, X, "ok", parent="a")


def chain(spans: int) -> Iterator[Row]:
    """Every span below the one before."""
    yield agent("s0")
    for i in range(1, spans):
        yield (
            row(f"s{i}", parent=f"s{i - 1}") if i % 2 else tool(f"s{i}", f"look{i}", None, X, "ok", parent=f"s{i - 1}")
        )


def orphans(spans: int) -> Iterator[Row]:
    """Calls of a job whose every step is missing."""
    yield agent("a", end=10**9)
    for i in range(spans):
        yield tool(f"t{i}", "look", None, X, "ok", parent=f"lost{i}")


def traces(spans: int) -> Iterator[Row]:
    """Many small traces of one process, built together."""
    for i in range(spans // 3):
        yield agent("a", trace=f"t{i}")
        yield chat("m", [user("x")], [asks((f"c{i}", "look", X))], trace=f"t{i}", parent="a")
        yield tool("x", "look", f"c{i}", X, "ok", trace=f"t{i}", parent="a")


def windows(calls: int) -> Iterator[Row]:
    """One agent whose model is given the last twenty messages of a long conversation."""
    yield agent("a")
    said = [user("hello")]
    for i in range(calls):
        made = says(f"answer {i}")
        yield chat(f"m{i}", said[-20:], [made], parent="a")
        said += [made, user(f"question {i}")]


ROUNDS = 5
"""Measurements at most: what else runs on the machine slows some of them down, and speeds none up."""


def seconds(rows: pa.Table) -> float:
    """Processor time of a build, without that of collecting the garbage of other tests."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        normalize.build(rows, logs())
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("made", "size"),
    [(conversation, 8_000), (nameless, 5_000), (chain, 8_000), (orphans, 3_000), (traces, 6_000), (windows, 2_000)],
)
def test_four_times_the_spans_take_less_than_eight_times_as_long(
    made: Callable[[int], Iterator[Row]], size: int
) -> None:
    """A quadratic step would take sixteen times as long; measured is the processor's time, whatever else runs."""
    few, many = table(made(size // 4)), table(made(size))
    taken = []
    for _ in range(ROUNDS):
        taken.append((seconds(few), seconds(many)))
        small, large = map(min, zip(*taken, strict=True))
        if large / small < 8:
            return
    pytest.fail(f"{size // 4}: {small:.2f} s, {size}: {large:.2f} s")


def test_the_calls_of_the_long_traces_are_all_there() -> None:
    """What is fast is also right."""
    assert normalize.build(table(nameless(500)), logs()).tables["tool_calls"].num_rows == 500
    assert normalize.build(table(conversation(400)), logs()).tables["tool_calls"].num_rows == 100
    assert normalize.build(table(windows(400)), logs()).tables["messages"].num_rows == 800
