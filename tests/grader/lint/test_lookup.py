"""Names of a suite that no trace has shown, or that no agent can reach."""

import pytest

from grader.lint.lookup import Found, look_up
from grader.lint.manifest import read_manifest
from grader.lint.seen import gathered
from tests.grader.suites import DATA, suite

SEEN = gathered(
    [("tool", "lookup", "orders.lookup"), ("agent", "support", None), ("skill", "support/refund-policy", None)]
)
HEAD = "select: {agent: support}"
AGENTS = read_manifest(DATA / "agents.yaml")


def look(item: str, head: str = HEAD, *, seen: bool = False, manifest: bool = False) -> Found:
    """One check, looked up in traces, in the manifest, or in both."""
    made = suite(f"  - name: a\n    expect:\n      - {item}\n", head)
    return look_up(made, SEEN if seen else None, AGENTS if manifest else None)


def told(found: Found) -> tuple[list[str], list[str]]:
    return [m.message for m in found.errors], [m.message for m in found.warnings]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("called: orders.lokup", "no stored trace has shown the tool 'orders.lokup'; did you mean 'orders.lookup'?"),
        ("not_called: [email.send]", "no stored trace has shown the tool 'email.send'"),
        (
            "skills_read: refund-polcy",
            "no stored trace has shown the skill 'refund-polcy'; did you mean 'support/refund-policy'?",
        ),
        ("child: suport", "no stored trace has shown the agent 'suport'; did you mean 'support'?"),
    ],
)
def test_what_no_trace_has_shown_is_a_warning(item: str, message: str) -> None:
    """With the nearest name, the line and the check."""
    found = look(item, seen=True)
    assert told(found) == ([], [message])
    assert (found.warnings[0].line, found.warnings[0].field.startswith("case 'a', check 1 (")) == (7, True)


def test_names_that_were_seen_are_silent() -> None:
    """Whichever name of a tool, and a skill without its plugin."""
    for item in ("called: lookup", "called: orders.lookup", "skills_read: refund-policy", "status: completed"):
        assert told(look(item, seen=True)) == ([], [])
    assert told(look("called: anything")) == ([], [])


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (
            "{called: orders.lokup, scope: job}",
            "the tool 'orders.lokup' cannot be reached by support; did you mean 'orders.lookup'?",
        ),
        (
            "{called: llm.complete, scope: job}",
            "the tool 'llm.complete' cannot be reached by support; there are orders.lookup, payments.refund, refund",
        ),
        ("child: sumarizer", "the agent 'sumarizer' is no delegate of support; did you mean 'summarizer'?"),
        ("{child: archivist}", "the agent 'archivist' is no delegate of support; there are stranger, summarizer"),
        (
            "{child: summarizer, expect: [{called: orders.lookup}]}",
            "the tool 'orders.lookup' cannot be reached by summarizer; there are archive.store, llm.complete",
        ),
        (
            "{skills_read: support/tone, scope: job}",
            "the skill 'support/tone' cannot be reached by support; did you mean 'support/refund-policy'?",
        ),
    ],
)
def test_what_cannot_be_reached_is_an_error(item: str, message: str) -> None:
    """With the nearest name as the fix."""
    (error,), warnings = told(look(item, manifest=True))
    assert error == message
    assert warnings == []


def test_where_a_delegate_cannot_be_seen_it_is_a_warning() -> None:
    """It may have a tool of that name (S4-16)."""
    found = look("called: mail.send", manifest=True)
    assert (found.errors, len(found.warnings)) == ([], 1)
    assert "stranger may have it, whom" in found.warnings[0].message
    assert told(look("{child: stranger, expect: [{called: x}, {child: y}]}", manifest=True))[0] == []


def test_names_in_reach_are_silent() -> None:
    """A tool by either name, a delegate's delegate's tool, a skill, a child of a child."""
    for item in (
        "{called: payments.refund, scope: job}",
        "{called: refund, scope: job}",
        "called: archive.store",
        "skills_read: refund-policy",
        "{child: summarizer, expect: [{child: archivist, expect: [{called: archive.store, scope: job}]}]}",
    ):
        assert told(look(item, manifest=True)) == ([], [])


def test_an_agent_that_is_selected_must_exist() -> None:
    """An error where the manifest has it not, a warning where no trace has shown it."""
    wrong = "select: {agent: suport}"
    errors, _ = told(look("status: completed", wrong, manifest=True))
    assert errors == [f"no agent 'suport' stands in {AGENTS.path}; did you mean 'support'?"]
    assert told(look("status: completed", wrong, seen=True))[1] == [
        "no stored trace has shown the agent 'suport'; did you mean 'support'?"
    ]


def test_one_name_is_told_once_and_by_the_manifest_first() -> None:
    """What is out of reach need not be looked for in traces."""
    found = look("{in_order: [nope, nope], scope: job}", seen=True, manifest=True)
    assert [len(f) for f in told(found)] == [1, 0]
