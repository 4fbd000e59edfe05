"""Jobs in another trace than the one that triggered them."""

import pytest

from collector import normalize
from tests.normalize.spans import Row, agent, link, logs, row, run, runs, table, tool

PARENT = [agent("a", "one", trace="first"), tool("t", "start", "c1", {"x": 1}, trace="first", parent="a")]


def child(**fields: object) -> Row:
    """An agent in a second trace."""
    return agent("b", "two", {"gen_ai.conversation.id": "same"}, trace="second", **fields)


def test_a_link_from_the_child_joins_it_below_the_linked_tool() -> None:
    """A root job whose span links to a tool span was triggered by that call."""
    found = run(*PARENT, child(links=[link("t", "first")]))
    (below,) = found.root.jobs
    assert (below.agent, below.via) == ("two", "link")
    assert below.delegation is not None
    assert (below.delegation.tool, below.delegation.reason) == ("start", "link")
    assert [(m.trace_id, m.reason) for m in found.members] == [("first", "root"), ("second", "link")]
    assert found.aliases == ["second-b"]


def test_a_link_on_what_wraps_the_child_counts() -> None:
    """The link may stand on the consumer's span above the agent's."""
    consumer = row("w", trace="second", links=[link("t", "first")])
    assert [job.agent for job in run(*PARENT, consumer, child(parent="w")).root.walk()] == ["one", "two"]


def test_a_declared_job_id_joins_without_a_link() -> None:
    """`tracegrade.job.parent.id` names the job above, wherever it lives."""
    parent = agent("a", "one", {"tracegrade.job.id": "J"}, trace="first")
    found = run(parent, agent("b", "two", {"tracegrade.job.parent.id": "J"}, trace="second"))
    assert (found.id, found.root.jobs[0].via) == ("J", "key")


def test_a_shared_conversation_joins_nothing() -> None:
    """Two runs that only share a conversation stay two."""
    talk = {"gen_ai.conversation.id": "same"}
    assert len(runs(agent("a", "one", talk, trace="first"), agent("b", "two", talk, trace="second"))) == 2


@pytest.mark.parametrize("kind", ["queued_send", "previous", "follows_from"])
def test_links_that_tell_of_no_cause_join_nothing(kind: str) -> None:
    """A link may say of itself that it is no delegation."""
    assert len(runs(*PARENT, child(links=[link("t", "first", **{"link.type": kind})]))) == 2


def test_links_in_a_circle_make_no_endless_tree() -> None:
    """Two traces that link to each other are one run with one root."""
    first = agent("a", "one", trace="first", links=[link("b", "second")])
    (found,) = runs(first, agent("b", "two", trace="second", links=[link("a", "first")]))
    assert len(list(found.root.walk())) == 2


def test_references_say_what_a_trace_offers_and_wants() -> None:
    """A trace offers itself and its declared jobs, and wants the traces that it links to."""
    built = normalize.build(table([child(links=[link("t", "first")])]), logs())
    told = {(r["kind"], r["key"], r["role"]) for r in built.references.to_pylist()}
    assert {("link", "second", "offers"), ("link", "first", "wants")} <= told


def test_a_child_that_comes_first_waits_for_its_parent() -> None:
    """Alone it is a run; with its parent's trace it is part of the parent's run, in any order of arrival."""
    late = child(links=[link("t", "first")])
    assert [r.root.agent for r in runs(late)] == ["two"]
    assert run(late, *PARENT).id == run(*PARENT, late).id == "first-a"
