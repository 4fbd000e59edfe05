"""Our own names: what a user declares."""

from typing import Any

import pytest

from collector.normalize.values import Value
from tests.normalize.spans import agent, event, job, row, run, seen


def test_a_span_that_declares_a_jobs_facts_is_a_job() -> None:
    """Where no other dialect knows the span."""
    assert seen(row("s", {"tracegrade.job.status": "completed"})).role == "job"
    assert seen(row("s", {"tracegrade.job.status": "completed", "gen_ai.operation.name": "chat"})).role == "model"
    assert seen(row("s", {"tracegrade.batch": "b"})).role is None


def test_declared_facts_come_first() -> None:
    """They win over what any other dialect says about the span."""
    assert seen(agent("s", "a", {"tracegrade.job.id": "J"})).dialects[0] == "tracegrade"


@pytest.mark.parametrize("encoded", [["be kind", "no refunds"], '["be kind", "no refunds"]'])
def test_constraints_are_a_list_in_any_encoding(encoded: Any) -> None:
    """An array or JSON text."""
    assert job(agent("s", "a", {"tracegrade.job.constraints": encoded})).constraints == ["be kind", "no refunds"]


def test_known_none_differs_from_unknown() -> None:
    """An explicit empty list is none; no attribute is unknown."""
    declared = job(agent("s", "a", {"tracegrade.job.constraints": "[]"}))
    assert (declared.constraints, declared.capture["constraints"].state) == ([], "present")
    assert (job(agent("s")).constraints, job(agent("s")).capture["constraints"].state) == (None, "absent")


def test_context_is_any_value() -> None:
    """What a judge may need to know, structured or not."""
    assert job(agent("s", "a", {"tracegrade.context": '{"tenant": "acme"}'})).context == {"tenant": "acme"}


def test_words_outside_the_vocabulary_declare_nothing() -> None:
    """A status or a mode that does not exist is passed over."""
    said = seen(row("s", {"tracegrade.job.status": "great", "tracegrade.delegation.mode": ["waited"]}))
    assert (said.status, said.mode) == (None, None)


def test_the_case_may_stand_on_the_resource() -> None:
    """`test.case.name` of OpenTelemetry's registry, on a span or its resource."""
    assert run(agent("s", "a", {"test.case.name": "refund"})).case_name == "refund"
    assert run(agent("s", resource={"test.case.name": "refund"})).case_name == "refund"


def test_a_denied_approval_needs_no_execution() -> None:
    """The event alone tells of the request and of the decision, on a span that nothing else claims."""
    held = {
        "gen_ai.tool.name": "refund",
        "tracegrade.approval.decision": "reject",
        "tracegrade.approval.reason": "too much",
    }
    said = seen(row("s", {}, events=[event("tracegrade.approval", held, at=7)]))
    assert [(a.tool, a.decision, a.reason, a.decided_at, a.requested_at) for a in said.approvals] == [
        ("refund", "reject", "too much", 7, None)
    ]


def test_the_value_types_are_checked() -> None:
    """A job id or a batch that is no text is passed over."""
    said = seen(row("s", {"tracegrade.job.id": 5, "tracegrade.batch": ["b"]}))
    assert (said.job_id, said.batch) == (None, None)
    assert seen(row("s", {"tracegrade.batch": "b"})).batch == Value("b")
