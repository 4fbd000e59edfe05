"""The names that stored traces have shown."""

from collector import connect
from collector.decode import traces_protobuf
from grader.lint.seen import gathered, seen
from grader.names import Named
from grader.results import extension
from tests.grader.spans import Trace

NAMES = gathered(
    [
        ("tool", "lookup", "orders.lookup"),
        ("tool", "pay", None),
        ("agent", "support", None),
        ("skill", "a/policy", None),
    ]
)


def test_names_are_matched_as_checks_match_them() -> None:
    """A tool by its own way, a skill with or without its plugin, an agent exactly."""
    assert NAMES.have(Named("tool", "orders.lookup", "qualified"))
    assert not NAMES.have(Named("tool", "orders.lookup", "exact"))
    assert NAMES.have(Named("tool", "lookup", "exact"))
    assert [NAMES.have(Named("skill", s)) for s in ("a/policy", "policy", "b/policy")] == [True, True, False]
    assert [NAMES.have(Named("agent", a)) for a in ("support", "pay")] == [True, False]


def test_names_for_the_nearest() -> None:
    """Of one kind, a tool's qualified name among them."""
    assert NAMES.of("tool") == ["lookup", "orders.lookup", "pay"]
    assert (list(NAMES.of("agent")), list(NAMES.of("skill"))) == (["support"], ["a/policy"])


def test_a_store_tells_the_names_of_all_its_runs() -> None:
    """One without runs tells nothing, which is not the same as no names."""
    with connect(":memory:", extensions=[extension()]) as store:
        assert seen(store) is None
        trace = Trace(1)
        trace.agent(1, "support")
        trace.tool(2, 1, "orders.lookup", {}, {})
        store.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
        store.settle()
        found = seen(store)
    assert found is not None
    assert (list(found.of("tool")), list(found.of("agent")), list(found.of("skill"))) == (
        ["orders.lookup"],
        ["support"],
        [],
    )
