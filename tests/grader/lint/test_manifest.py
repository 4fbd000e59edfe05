"""Agent manifests: who can use what."""

from pathlib import Path

import pytest

from grader.lint.manifest import Manifest, read_manifest
from grader.names import Mention, Named
from grader.scene import Scope
from grader.syntax.mistakes import SuiteError
from tests.grader.suites import DATA


@pytest.fixture(scope="module")
def agents() -> Manifest:
    """Support delegates to a summarizer, who does to an archivist, and to somebody whom nobody describes."""
    return read_manifest(DATA / "agents.yaml")


def tools(manifest: Manifest, root: str | None, scope: Scope, *path: str) -> tuple[set[str], tuple[str, ...]]:
    """The tools in reach, and the agents that hide some."""
    reach = manifest.reach(Mention(Named("tool", "x"), scope, path), root)
    return set(reach.names.of("tool")), reach.blind


def test_the_whole_tree_is_in_reach_unless_the_job_is_meant(agents: Manifest) -> None:
    """Delegates of delegates count; whom the manifest does not describe may have more."""
    own = {"orders.lookup", "refund", "payments.refund"}
    assert tools(agents, "support", "job") == (own, ())
    assert tools(agents, "support", "tree") == (own | {"llm.complete", "archive.store"}, ("stranger",))
    assert tools(agents, "archivist", "tree") == ({"archive.store"}, ())


def test_what_a_child_must_do_is_looked_up_from_the_child(agents: Manifest) -> None:
    """The last of the path; one that is not described hides everything."""
    assert tools(agents, "support", "tree", "summarizer") == ({"llm.complete", "archive.store"}, ())
    assert tools(agents, "support", "job", "stranger") == (set(), ("stranger",))


def test_without_an_agent_any_may_be_meant(agents: Manifest) -> None:
    """A suite need not select one."""
    assert tools(agents, None, "job")[0] == {
        "orders.lookup",
        "refund",
        "payments.refund",
        "llm.complete",
        "archive.store",
    }


def test_a_child_is_a_delegate_of_its_own_parent(agents: Manifest) -> None:
    """Not of a delegate's."""
    for path, delegates in (((), {"summarizer", "stranger"}), (("summarizer",), {"archivist"})):
        reach = agents.reach(Mention(Named("agent", "x", inside=True), "tree", path), "support")
        assert (set(reach.names.of("agent")), reach.blind) == (delegates, ())


def test_json_is_read_as_well(tmp_path: Path) -> None:
    """Agents that delegate to each other end somewhere."""
    path = tmp_path / "m.json"
    path.write_text(
        '{"agents": [{"name": "a", "delegates": ["b"]}, {"name": "b", "tools": ["f"], "delegates": ["a"]}]}'
    )
    assert tools(read_manifest(path), "a", "tree") == ({"f"}, ())


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    """With line, field and the nearest key."""
    path = tmp_path / "m.yaml"
    path.write_text("agents:\n  - name: a\n    tols: [f]\n  - name: a\n    skills: s\n")
    with pytest.raises(SuiteError) as raised:
        read_manifest(path)
    assert [(m.line, m.field) for m in raised.value.mistakes] == [(3, "agents[0].tols"), (5, "agents[1].skills")]
    assert "did you mean 'tools'" in str(raised.value)
    path.write_text("agents: [{name: a}, {name: a}]\n")
    with pytest.raises(SuiteError, match="an agent named 'a' stands on line 1 already"):
        read_manifest(path)
    for text, message in (("[]", "mapping"), ("", "empty"), ("agents: [", "not YAML")):
        path.write_text(text)
        with pytest.raises(SuiteError, match=message):
            read_manifest(path)
    with pytest.raises(SuiteError, match="cannot be read"):
        read_manifest(tmp_path / "none.yaml")
