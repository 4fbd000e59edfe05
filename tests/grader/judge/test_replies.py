"""Replies of another batch."""

import time
from collections.abc import Iterator

import pytest

from collector import Store, connect
from collector.decode import traces_protobuf
from grader.asking import ReplyWanted
from grader.judge.replies import Replies
from grader.results import extension
from tests.grader.spans import Trace


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    """Two batches: one with two runs of one case, the newer with the better reply, and a run without a case."""
    start = time.time_ns() - 3_600_000_000_000
    with connect(":memory:", extensions=[extension()]) as opened:
        for number, (batch, case, asked, reply) in enumerate(
            [
                ("v1", "refund", "Refund", "old"),
                ("v1", "refund", "Refund", "newer"),
                ("v1", None, "Hello", "hi"),
                ("v2", "refund", "Refund", "other"),
            ],
            1,
        ):
            trace = Trace(number, "s", start + number * 1_000_000_000)
            extra = {"tracegrade.batch": batch} | ({} if case is None else {"test.case.name": case})
            trace.agent(1, "helper", asked=asked, reply=reply, extra=extra)
            opened.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
        opened.settle()
        yield opened


def wanted(batch: str = "v1", case: str | None = None, asked: str | None = None) -> ReplyWanted:
    return ReplyWanted(batch=batch, case=case, input=asked)


def test_by_case_then_by_what_was_asked(store: Store) -> None:
    """The newest of several."""
    asks = [wanted(case="refund"), wanted(asked="Hello"), wanted(case="unknown", asked="Hello"), wanted("v2", "refund")]
    found = Replies(store).answers(asks)
    assert [found[a.key].value for a in asks] == ["newer", "hi", "hi", "other"]
    runs = {row["run_id"]: row["reply"] for row in store.sql("SELECT run_id, reply FROM runs").to_pylist()}
    assert [[runs[run] for run in found[a.key].runs] for a in asks] == [["newer"], ["hi"], ["hi"], ["other"]]


def test_what_is_not_there_is_told(store: Store) -> None:
    """A batch without runs, and one without this case."""
    asks = [wanted("v0", "refund"), wanted(case="unknown", asked="unknown")]
    found = Replies(store).answers(asks)
    assert [found[a.key].error for a in asks] == [
        "no run of the batch 'v0' has a reply",
        "the batch 'v1' has no run of this case with a reply",
    ]
