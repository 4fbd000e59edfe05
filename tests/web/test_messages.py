"""What the HTTP server hands over and takes back."""

import dataclasses
from typing import get_args

import pytest

from collector.web.messages import Fault, Limits, Request, Response, refuse_plainly


@pytest.mark.parametrize(
    ("fault", "status"),
    [("malformed", 400), ("head_too_large", 431), ("too_large", 413), ("busy", 503), ("failed", 500)],
)
def test_each_fault_has_its_status(fault: Fault, status: int) -> None:
    """A plain answer says in words what the number says, and nothing else."""
    answer = refuse_plainly(None, fault)
    assert answer.status == status
    assert answer.body.endswith(b"\n")
    assert answer.content_type.startswith("text/plain")


def test_no_fault_is_without_an_answer() -> None:
    """Every fault that the server knows can be worded."""
    assert all(refuse_plainly(None, fault).body for fault in get_args(Fault))


def test_a_request_cannot_be_changed_on_its_way() -> None:
    """Handlers get values, not places to leave things."""
    request = Request(method="GET", target="/", path="/", query="", headers={}, peer="")
    with pytest.raises(dataclasses.FrozenInstanceError):
        request.method = "POST"  # ty: ignore[invalid-assignment]
    assert request.body == b""


def test_answers_do_not_share_headers() -> None:
    """Each answer has headers of its own."""
    assert Response(200).headers is not Response(200).headers


def test_the_limits_fit_together() -> None:
    """A body at the slowest allowed rate for the whole time is far below the largest, so that both limits matter."""
    limits = Limits()
    assert limits.body_rate * limits.request_seconds < limits.body_bytes
    assert limits.header_seconds <= limits.request_seconds
    assert limits.drain_bytes <= limits.body_bytes
