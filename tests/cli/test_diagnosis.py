"""What services' traces can show: counted over real captures."""

from collections.abc import Generator
from pathlib import Path

import pytest

from collector.answer.local import LocalStore
from collector.cli.diagnosis import BY_KIND, BY_REASON, CONTENT, Diagnosis, diagnose
from collector.cli.loading import Loading
from collector.normalize.assemble import capture
from collector.tree import CAPTURE_KINDS
from tests.store.rows import span, spans

LOADED = ("google-adk__native__refund", "google-adk-content__native__refund", "crewai__openinference__refund")


@pytest.fixture(scope="module")
def store(data: Path) -> Generator[LocalStore]:
    """ADK with and without content under one service, CrewAI under another, and a service that is no agent."""
    with LocalStore(":memory:") as opened:
        Loading(opened).put([data / "captures" / name for name in LOADED])
        opened.ingest(spans(span(77, 1, service_name="shop", scope_name="http.server"))).result()
        opened.settle()
        yield opened


def one(store: LocalStore, service: str) -> Diagnosis:
    """The diagnosis of one service."""
    (found,) = diagnose(store, service).services
    return found


def test_every_service_is_there_with_its_dialects(store: LocalStore) -> None:
    """Services with runs have their dialects, one without runs has its instrumentations; nothing is outdated."""
    found = diagnose(store)
    told = {d.service: (d.runs, d.dialects) for d in found.services}
    assert told == {
        "refund-agent": (1, ("crewai", "openinference")),
        "shop": (0, ()),
        "support-bot": (2, ("google_adk", "semconv")),
    }
    assert one(store, "shop").scopes == ("http.server",)
    assert found.outdated == 0
    assert diagnose(store, "nobody").services == []


def test_shares_and_reasons_are_those_of_the_runs(store: LocalStore) -> None:
    """Of two runs one was recorded without content: half of the arguments, and all of the calls, are there."""
    shares = {share.kind: share for share in one(store, "support-bot").kinds}
    assert list(shares) == list(CAPTURE_KINDS)
    args = shares["tool_args"]
    assert (args.runs, args.present, args.partial, args.absent, args.malformed) == (2, 1, 0, 1, 0)
    assert args.reasons == ("content_off",)
    assert (shares["tools"].present, shares["tools"].reasons) == (2, ())


def test_the_switch_of_the_framework_is_named(store: LocalStore) -> None:
    """What has no content is answered with the switch of the dialect that wrote it, told once for all kinds."""
    remedies = one(store, "support-bot").remedies
    (switch,) = [
        remedy for remedy in remedies if "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY" in remedy.text
    ]
    assert switch.text.startswith("Google ADK 2: ")
    assert {"input", "reply", "tool_args", "tool_results"} <= set(switch.kinds)
    assert "cost" not in switch.kinds
    assert any(remedy.kinds == ("approvals",) and "tracegrade.approval" in remedy.text for remedy in remedies)


def test_what_an_instrumentation_never_records_is_noted(store: LocalStore) -> None:
    """CrewAI's model calls are missing for another reason than a switch."""
    found = one(store, "refund-agent")
    assert any("does not record model calls" in note for note in found.notes)
    assert ("model_calls",) in [remedy.kinds for remedy in found.remedies]


def test_each_reason_and_each_kind_has_a_remedy() -> None:
    """Every reason code that capture can give is answered, or needs no answer."""
    needs_none = {"failed", "child_partial", "not_recorded"}
    codes = {
        code.strip()
        for line in (capture.__doc__ or "").splitlines()
        if line.startswith("    ") and "  " in line.strip()
        for code in line.strip().split("  ")[0].split(",")
    }
    assert {"content_off", "dropped"} <= codes
    assert codes <= CONTENT | set(BY_REASON) | needs_none
    assert set(BY_KIND) == set(CAPTURE_KINDS)
