"""How a span ended."""

from typing import Any

import pytest

from collector.normalize.assemble.forest import plant
from collector.normalize.assemble.outcome import CONTROL_FLOW, failure
from tests.normalize.spans import exception, row, sighted


def outcome(attributes: dict[str, Any] | None = None, /, **fields: Any) -> str | None:
    """The failure of one span."""
    return failure(plant(sighted(row("s", attributes, **fields)))[0])


def test_a_span_that_ended_well_did_not_fail() -> None:
    """Neither an unset nor an ok status is a failure, whatever was raised and caught on the way."""
    assert outcome() is outcome(ok=True) is outcome(events=[exception("ValueError", "caught")]) is None


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"error": "boom", "events": [exception("shop.errors.Broken", "no mug")]}, "Broken: no mug"),
        ({"error": "boom"}, "boom"),
        ({"error": "", "events": [exception("Broken")]}, "Broken"),
        ({"error": ""}, "failed without a message"),
    ],
)
def test_a_failure_has_words(fields: dict[str, Any], words: str) -> None:
    """The exception tells most, then the status message; a failure is never without words."""
    assert outcome(**fields) == words


def test_an_error_type_is_a_failure_without_a_status() -> None:
    """`error.type` on a span that forgot its status says that it failed."""
    assert outcome({"gen_ai.operation.name": "execute_tool", "error.type": "timeout"}) == "timeout"


@pytest.mark.parametrize("name", sorted(CONTROL_FLOW))
def test_exceptions_that_steer_are_no_failures(name: str) -> None:
    """A framework that stops a span to wait or to go elsewhere did not fail."""
    assert outcome(error="stopped", events=[exception(f"framework.{name}", "…")]) is None
