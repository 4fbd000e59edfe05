"""One span → everything that the dialects say about it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.normalize.dialects import DIALECTS
from collector.normalize.sight import MOST_SHAPES, sight
from collector.normalize.values import Value
from tests import captures
from tests.normalize.spans import agent, logs, row, seen, spans

SCOPES = ("", "pydantic-ai", "ai", "strands.telemetry.tracer", "openinference.instrumentation.langchain", "unknown")
KEYS = (
    "gen_ai.system",
    "gen_ai.operation.name",
    "openinference.span.kind",
    "tracegrade.batch",
    "agent_name",
    "x",
    "mcp.method.name",
)
VALUES = st.sampled_from(("strands-agents", "gcp.vertex.agent", "openlit", "TOOL", "chat", "", 5, None, ["a"]))


@pytest.mark.parametrize("name", captures.NAMES)
def test_who_speaks_is_who_claims(name: str) -> None:
    """What is remembered of a span's shape gives the same dialects as asking each of them."""
    from collector.normalize.reading import read

    for span in read(captures.load(name).spans, logs()):
        claimed = tuple(dialect.name for dialect in DIALECTS if dialect.claims(span))
        assert sight(span).dialects == claimed


@given(
    scope=st.sampled_from(SCOPES),
    held=st.dictionaries(st.sampled_from(KEYS), VALUES),
    other=st.dictionaries(st.sampled_from(KEYS), VALUES),
)
def test_spans_of_one_shape_are_claimed_alike(scope: str, held: dict[str, Any], other: dict[str, Any]) -> None:
    """Only the attributes that are listed as such may decide by their value: the others were seen before, with other values."""
    alike = {key: other.get(key, value) for key, value in held.items()}
    for attributes in (held, alike):
        (span,) = spans(row("s", attributes, scope=scope))
        assert sight(span).dialects == tuple(dialect.name for dialect in DIALECTS if dialect.claims(span))


def test_the_first_key_that_can_be_read_counts() -> None:
    """Attributes are tried best first; an unreadable one gives way to the next."""
    held = {"gen_ai.tool.call.arguments": "<REDACTED>", "tool_arguments": '{"x": 1}'}
    assert seen(row("s", held, scope="pydantic-ai")).arguments == Value({"x": 1})


def test_what_no_key_can_read_is_kept_as_unreadable() -> None:
    """It was there: that is not the same as nothing."""
    assert seen(row("s", {"gen_ai.tool.call.arguments": "<REDACTED>"})).arguments == Value(
        None, "malformed", "redacted"
    )


def test_the_more_specific_dialect_gives_the_role() -> None:
    """Several may speak about one span; the first role stands, and all of them are listed."""
    said = seen(agent("s", "a", {"openinference.span.kind": "TOOL"}))
    assert said.role == "job"
    assert said.dialects == ("semconv", "openinference")


def test_nobody_speaks_of_a_foreign_span() -> None:
    """A database call has no role and no facts."""
    said = seen(row("s", {"db.system": "postgresql"}))
    assert (said.role, said.dialects) == (None, ())


def test_endless_shapes_cost_no_memory() -> None:
    """Spans with ever new attribute names are read like any other."""
    (span,) = spans(agent("s"))
    for i in range(MOST_SHAPES + 10):
        span.attributes = {"gen_ai.agent.name": "a", f"x{i}": 1}
        assert sight(span).agent == Value("a")
