"""How a job ended."""

from typing import Any

import pytest

from collector.tree import Job
from tests.normalize.spans import agent, asks, chat, event, exception, job, says, tool, user

SAID = chat("m", [user("x")], [says("y")], parent="a")


def ended(root: Job) -> tuple[str, str | None]:
    """Status and error."""
    return (root.status, root.error)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, ("completed", None)),
        ({"error": "boom"}, ("failed", "boom")),
        ({"error": "", "events": [exception("ValueError", "no")]}, ("failed", "ValueError: no")),
        ({"error": "x", "events": [exception("ApprovalRequired")]}, ("completed", None)),
        ({"end": 0}, ("running", None)),
    ],
)
def test_the_jobs_own_span_tells(fields: dict[str, Any], told: tuple[str, str | None]) -> None:
    """Ended well, failed with its words, stopped by a framework's own exception, or still going on."""
    assert ended(job(agent("a", **fields), SAID)) == told


@pytest.mark.parametrize("status", ["completed", "failed", "awaiting_approval", "cancelled", "running"])
def test_a_declared_status_wins(status: str) -> None:
    """`tracegrade.job.status` overrides what would be inferred, and only a failure has an error."""
    root = job(agent("a", "x", {"tracegrade.job.status": status}, error="boom"), SAID)
    assert ended(root) == (status, "boom" if status == "failed" else None)


def test_an_unknown_word_declares_nothing() -> None:
    """A status that is none is passed over."""
    assert job(agent("a", "x", {"tracegrade.job.status": "fine"}), SAID).status == "completed"


def test_a_failed_tool_does_not_fail_the_job() -> None:
    """The agent may go on."""
    assert job(agent("a"), tool("t", "look", "c1", parent="a", error="boom"), SAID).status == "completed"


def test_a_failed_child_does_not_fail_its_parent() -> None:
    """Who called it decides what to make of that."""
    root = job(agent("a"), tool("t", "ask", "c1", parent="a"), agent("b", "child", parent="t", error="boom"), SAID)
    assert (root.status, root.jobs[0].status) == ("completed", "failed")


def test_a_job_without_a_span_is_as_far_as_its_last_model_call() -> None:
    """An answer is an end; a request for a call, or no content, leaves it open what became of it."""
    assert job(chat("m", [user("x")], [says("y")])).status == "completed"
    assert job(chat("m", [user("x")], [asks(("c1", "look", {}))])).status == "unknown"
    assert job(chat("m")).status == "unknown"
    assert job(chat("m", error="429")).status == "failed"
    assert job(tool("t", "look", "c1")).status == "unknown"


def test_a_pause_for_a_call_that_is_not_known_may_be_over() -> None:
    """A later trace may have answered it, and nothing could tell; where the call is known, it waits."""
    calls = {"gen_ai.response.finish_reasons": ["tool_call"]}
    held = {"tracegrade.approval.tool": "pay", "tracegrade.approval.decision": "pending"}
    pending = event("tracegrade.approval", held)

    def waits(made: list[Any] | None) -> str:
        return job(agent("a", events=[pending]), chat("m", [user("x")], made, calls, parent="a")).status

    assert waits([asks(("c1", "pay", {}))]) == "awaiting_approval"
    assert waits(None) == "unknown"
