"""Which names a check mentions, and where."""

import pytest

from grader.names import Mention, Named, mentions, same_skill
from grader.outcome import Truth
from tests.grader.suites import suite

CASES = """  - name: a
    expect:
      - called: pay
        with: {order: {$from: lookup.result.id}, tags: {$set: [{$from: tags.result}]}}
      - {every: pay, preceded_by: lookup, scope: job}
      - {limits: {tool_calls: 1}}
      - skills_read: [support/policy]
      - child: helper
        expect:
          - {calls: [{tool: mail, with: {to: {$from: whois.result.to}}}], scope: job}
          - {child: deep, expect: [{approved: wipe}]}
"""


def told(number: int) -> list[Mention]:
    """Of the check at that place."""
    return list(mentions(suite(CASES).cases[0].expect[number].primitive))


def tool(name: str) -> Named:
    """As a native suite matches it."""
    return Named("tool", name, "qualified")


def test_a_tool_and_those_in_its_arguments() -> None:
    """However deep an operator stands."""
    assert told(0) == [Mention(tool(n), "tree", ()) for n in ("pay", "lookup", "tags")]


def test_the_scope_is_the_checks() -> None:
    """A check that names nothing has none."""
    assert told(1) == [Mention(tool(n), "job", ()) for n in ("pay", "lookup")]
    assert told(2) == []
    assert told(3) == [Mention(Named("skill", "support/policy"), "tree", ())]


def test_what_a_child_must_do_is_about_the_child() -> None:
    """To any depth."""
    assert told(4) == [
        Mention(Named("agent", "helper", inside=True), "tree", ()),
        Mention(tool("mail"), "job", ("helper",)),
        Mention(tool("whois"), "job", ("helper",)),
        Mention(Named("agent", "deep", inside=True), "tree", ("helper",)),
        Mention(tool("wipe"), "tree", ("helper", "deep")),
    ]


@pytest.mark.parametrize(
    ("wanted", "read", "same"),
    [
        ("a/s", "a/s", True),
        ("s", "a/s", True),
        ("a/s", "s", None),
        ("a/s", "b/s", False),
        ("a/s", "a/t", False),
        ("s", "s", True),
    ],
)
def test_a_bare_name_is_some_plugins(wanted: str, read: str, same: Truth) -> None:
    """Asked for without a plugin it is any; read without one it may be the one."""
    assert same_skill(wanted, read) is same
