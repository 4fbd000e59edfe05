"""What a dialect is, and the rules by which several speak about one span."""

import sys

import pytest

from collector.normalize import dialects
from collector.normalize.dialect import (
    Dialect,
    Sighting,
    any_key,
    attribute,
    either,
    exception_of,
    holding,
    prefix,
    say,
    scope,
)  # fmt: skip
from collector.normalize.reading import Event, Span
from collector.normalize.values import Value
from tests.normalize.spans import row, spans

sight = sys.modules["collector.normalize.sight"]  # the package has a function of that name


def span(attributes: dict[str, object] | None = None, scope_name: str = "") -> Span:
    """One decoded span."""
    return spans(row("s", attributes, scope=scope_name))[0]


def test_what_is_said_stays_said() -> None:
    """The first readable value of a fact wins; a later one does not replace it."""
    said = Sighting()
    say(said, "tool", Value("first"))
    say(said, "tool", Value("second"))
    say(said, "tool", None)
    assert said.tool == Value("first")


def test_a_readable_value_replaces_an_unreadable_one() -> None:
    """What one dialect could not read, a later one may tell."""
    said = Sighting(result=Value("{", "malformed", "unreadable_json"))
    say(said, "result", Value({}))
    assert said.result == Value({})


def test_a_scope_claims_itself_and_what_is_below_it() -> None:
    """`ai` claims `ai` and `ai.tools`, never `aiohttp`."""
    claims = scope("ai")
    assert [claims(span(scope_name=s)) for s in ("ai", "ai.tools", "aiohttp", "")] == [True, True, False, False]


def test_claims_by_key_prefix_and_either() -> None:
    """Spans are claimed by an attribute, by the beginning of one, or by any of several tests."""
    claims = either(any_key("x"), prefix("gen_ai."))
    held = ({"x": 1}, {"gen_ai.foo": 1}, {"gen": 1}, {})
    assert [claims(span(dict(h))) for h in held] == [True, True, False, False]


def test_the_last_exception_counts() -> None:
    """Of several exception events the last one ended the span."""
    raised = [Event("exception", i, {"exception.type": f"E{i}", "exception.message": "m"}) for i in (1, 2)]
    assert exception_of([*raised, Event("other", 3, {})]) == ("E2", "m")
    assert exception_of([]) is None


def test_an_attribute_may_stand_on_the_resource() -> None:
    """The span's own attribute comes before its resource's."""
    assert attribute(span(), "service.name") == "shop"
    assert attribute(span({"service.name": "own"}), "service.name") == "own"


@pytest.mark.parametrize("dialect", dialects.DIALECTS, ids=lambda d: d.name)
def test_every_dialect_is_named_after_its_file_and_knows_only_facts(dialect: Dialect) -> None:
    """The scan of the folder finds a table whose facts are all facts of a sighting."""
    assert f"{dialects.__name__}.{dialect.name}" in {f"{dialects.__name__}.{d.name}" for d in dialects.DIALECTS}
    assert set(dialect.fields) <= set(Sighting.__slots__)


def test_dialects_speak_by_rank() -> None:
    """Declared facts come first, then vendors, then the conventions, then generic vocabularies."""
    ranks = [dialect.rank for dialect in dialects.DIALECTS]
    assert ranks == sorted(ranks)
    assert dialects.DIALECTS[0].name == "tracegrade"


def test_a_quirk_that_needs_an_attribute_is_not_asked_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spans of one shape hold the same attributes, so it is known beforehand; other quirks are asked all the same."""
    asked: list[str] = []
    needing = holding("a", "b")(lambda _span, _said: asked.append("needing"))
    odd = Dialect(
        name="odd", rank=1, claims=lambda _span: True, quirks=(needing, lambda _span, _said: asked.append("other"))
    )
    monkeypatch.setattr(sight, "DIALECTS", (odd,))
    monkeypatch.setattr(sight, "_shapes", {})
    for key in ("c", "b"):
        sight.sight(span({key: 1}))
    assert asked == ["other", "needing", "other"]
