"""Less evidence never makes a pass, and more of other runs changes nothing: real traces, every kind of check.

A span that was lost without leaving a trace of itself cannot be missed by anybody; so whole spans are taken away where a
witness of the loss remains (a span below it). What a span holds may be taken away anywhere.
"""

import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from collector import connect, normalize
from collector.decode import traces_protobuf
from collector.normalize.dialect import Sighting
from collector.normalize.reading import read
from collector.normalize.sight import sight
from collector.tree import Run
from grader.grade import Options, grade
from grader.outcome import Truth
from grader.results import extension
from tests import captures
from tests.grader.every_check import checks
from tests.grader.suites import suite

EXAMPLES = int(os.environ.get("REMOVAL_EXAMPLES", "60"))
"""Losses tried by each property; more of them once after a change to what counts as evidence."""

PROFILE = settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
MOST = 12
"""Losses of single spans tried in one capture, spread over it."""


class Judged(NamedTuple):
    """A run's traces, and what every check says of it."""

    traces: frozenset[str]
    truths: list[Truth]


def judged(name: str, runs: Sequence[Run]) -> Iterator[Judged]:
    """The runs that would be graded: an open one is not."""
    for run in runs:
        if not run.open:
            traces = frozenset(member.trace_id for member in run.members) | {run.root.trace_id}
            yield Judged(traces, [check.decide(run) for check in checks(name)])


@cache
def whole(name: str) -> list[Judged]:
    """The verdicts about a capture as it is."""
    return list(judged(name, captures.load(name).trees()))


def made_green(name: str, spans: pa.Table, logs: pa.Table) -> list[dict[str, Any]]:
    """Checks that did not hold and hold now, of any run that shares a trace with the one before."""
    after = list(judged(name, normalize.trees(spans, logs)))
    items = [check.item for check in checks(name)]
    return [
        item
        for before in whole(name)
        for now in after
        if before.traces & now.traces
        for item, was, is_ in zip(items, before.truths, now.truths, strict=True)
        if was is not True and is_ is True
    ]


def kept(spans: pa.Table, places: Sequence[int]) -> pa.Table:
    """The rows at these places."""
    return spans.take(pa.array(places, pa.int64()))


@pytest.mark.parametrize("name", captures.NAMES)
def test_the_loss_of_a_span_that_something_stands_below_makes_no_pass(name: str) -> None:
    """A parent that is missing is a witness: no check of any type goes from fail or undecided to pass."""
    capture = captures.load(name)
    ids, parents = (capture.spans[column].to_pylist() for column in ("span_id", "parent_span_id"))
    above = set(parents)
    inner = [place for place, span_id in enumerate(ids) if span_id in above]
    for lost in inner[:: max(1, len(inner) // MOST)]:
        left = kept(capture.spans, [place for place in range(len(ids)) if place != lost])
        assert made_green(name, left, capture.logs) == [], capture.spans["name"][lost]


STRUCTURE = (
    "role", "agent", "agent_id", "run_key", "job_id", "parent_job_id", "conversation", "tool", "call_id", "runs", "handed_to",
    "handed_from", "turn", "mode", "response_id", "actor", "child_agent", "resumes", "opens", "deferred", "graph", "level",
    "orchestrates", "relay", "caused", "guessed", "qualified", "tool_kind", "settled", "proves", "dialects", "approvals",
    "skills", "control_flow", "tool_failed", "error", "status", "batch",
)  # fmt: skip
"""What a span is, as opposed to what it holds: an attribute that says so is not content."""


def family(key: str) -> str:
    """A flattened list's name: its keys are recorded all or none."""
    return re.split(r"\.\d+(?:\.|$)", key)[0]


def what_it_is(said: Sighting) -> str:
    """The facts of a sighting that make the tree's shape."""
    return repr([getattr(said, fact) for fact in STRUCTURE])


def without(spans: pa.Table, key: str, places: Sequence[int]) -> pa.Table:
    """The rows of which those at these places do not hold the attributes of a family."""
    held = spans["attributes"].to_pylist()
    for place in places:
        left = {k: v for k, v in orjson.loads(held[place]).items() if family(k) != key}
        held[place] = orjson.dumps(left).decode()
    return spans.set_column(spans.schema.get_field_index("attributes"), "attributes", pa.array(held, pa.string()))


def shapes(spans: pa.Table, logs: pa.Table) -> list[str]:
    """What each span is."""
    return [what_it_is(sight(span)) for span in read(spans, logs)]


@cache
def contents(name: str) -> list[str]:
    """Families of attributes that hold content alone: without them every span is still what it was."""
    capture = captures.load(name)
    known = shapes(capture.spans, capture.logs)
    found = sorted({family(key) for held in capture.spans["attributes"].to_pylist() for key in orjson.loads(held)})
    every = range(capture.spans.num_rows)
    return [
        key
        for key in found
        if not key.endswith("mime_type") and shapes(without(capture.spans, key, every), capture.logs) == known
    ]


@pytest.mark.parametrize("name", [name for name in captures.NAMES if captures.load(name).logs.num_rows])
def test_the_loss_of_logs_makes_no_pass(name: str) -> None:
    """Without its log records, all or every other one, a capture passes nothing that it did not pass with them."""
    capture = captures.load(name)
    for step in (1, 2):
        lost = set(range(0, capture.logs.num_rows, step))
        left = kept(capture.logs, [place for place in range(capture.logs.num_rows) if place not in lost])
        assert made_green(name, capture.spans, left) == [], step


def silent(spans: pa.Table, logs: pa.Table) -> set[str]:
    """The model calls that show neither words nor why they ended."""
    said = [(span.span_id, sight(span)) for span in read(spans, logs)]
    return {name for name, one in said if one.role == "model" and one.finish is None and one.messages_out is None}


@cache
def goes_on(name: str) -> bool:
    """Whether a run of the capture stopped, and goes on in another trace that only a call's id joins to it."""
    return any(member.reason == "resumed" for run in captures.load(name).trees() for member in run.members)


@PROFILE
@given(name=st.sampled_from(captures.NAMES), data=st.data())
def test_the_loss_of_content_makes_no_pass(name: str, data: st.DataObject) -> None:
    """Messages, arguments, results or figures that are not recorded, on all spans or some: no check comes to pass.

    One loss nobody can see: a run waited, and the model call that asked for what it waited for shows neither its words nor
    that it ended to call a tool. Then the trace is that of a run that ended well, and the trace that goes on from there is
    lost to it whole, without a witness. So in a run that goes on in another trace no model call loses both at once; each
    alone it may lose, and in all other runs both.
    """
    capture = captures.load(name)
    keys = data.draw(st.lists(st.sampled_from(contents(name)), min_size=1, max_size=3, unique=True))
    every = range(capture.spans.num_rows)
    places = data.draw(st.just(list(every)) | st.lists(st.sampled_from(every), min_size=1, unique=True))
    spans = capture.spans
    for key in keys:
        spans = without(spans, key, places)
    assume(shapes(spans, capture.logs) == shapes(capture.spans, capture.logs))  # two may say together what a span is
    assume(not goes_on(name) or silent(spans, capture.logs) == silent(capture.spans, capture.logs))
    assert made_green(name, spans, capture.logs) == []


@PROFILE
@given(names=st.lists(st.sampled_from(captures.NAMES), min_size=2, max_size=4, unique=True))
def test_traces_of_other_runs_change_no_outcome(names: list[str]) -> None:
    """Every check says the same of a run, whatever else is built with it."""
    first, *others = [captures.load(name) for name in names]
    spans, logs = (pa.concat_tables([getattr(c, kind) for c in (first, *others)]) for kind in ("spans", "logs"))
    alone = {run.id: [check.decide(run) for check in checks(first.name)] for run in first.trees()}
    together = {run.id: run for run in normalize.trees(spans, logs)}
    assert {name: [check.decide(together[name]) for check in checks(first.name)] for name in alone} == alone


POLICIES = """
  - name: looked up first
    when: {called: issue_refund}
    expect: [{every: issue_refund, preceded_by: lookup_order}]
  - name: nothing was erased
    expect: [{not_called: erase_everything}, {limits: {tool_calls: 2}}, {status: completed}]
"""


def outcomes(*names: str) -> dict[tuple[str, str], str]:
    """The outcome of each policy on each run of these captures in one store."""
    with connect(":memory:", extensions=[extension()]) as store:
        for name in names:
            for body in sorted((captures.FOLDER / name).glob("???.pb")):
                store.ingest(traces_protobuf(body.read_bytes())).result()  # ty: ignore
        (grading,) = grade(store, [suite(POLICIES)], Options(quiet_seconds=None))
    return {(sample.run.run_id, sample.case): sample.outcome for sample in grading.samples}


def test_other_runs_in_the_store_change_no_outcome() -> None:
    """Graded beside runs of other frameworks, of the same and of a later turn, a run has the outcomes that it has alone."""
    names = (
        "pydantic-ai-v5__native__refund",
        "strands__native__refund",
        "autogen__native__refund",
        "anthropic__openinference__refund",
        "openai-agents__openinference__refund",
    )
    alone = [outcomes(name) for name in names]
    assert outcomes(*names) == {key: outcome for found in alone for key, outcome in found.items()}
    assert {"pass", "indeterminate"} <= {outcome for found in alone for outcome in found.values()}
