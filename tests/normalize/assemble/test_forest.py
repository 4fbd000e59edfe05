"""The forest: who is below whom, whatever is missing."""

from collector.normalize.assemble.forest import Node, plant
from tests.normalize.spans import row, sighted


def shape(roots: list[Node]) -> list[tuple[str, list[str]]]:
    """Every root with all that is below it."""
    return [(root.id, [node.id for node in root.below()]) for root in roots]


def test_children_hang_below_their_parent_in_start_order() -> None:
    """A tree is walked parents first, children by their start."""
    roots = plant(
        sighted(
            row("a"), row("late", parent="a", start=9000), row("early", parent="a", start=5000), row("b", parent="late")
        )
    )
    assert shape(roots) == [("a", ["early", "late", "b"])]
    assert [node.parent.id for node in roots[0].below() if node.parent] == ["a", "a", "late"]


def test_children_of_a_missing_parent_stay_siblings() -> None:
    """A span that is named as a parent and is not there becomes one ghost for all its children."""
    (ghost,) = plant(sighted(row("x", parent="lost"), row("y", parent="lost")))
    assert ghost.span is None
    assert [node.id for node in ghost.children] == ["x", "y"]
    assert (ghost.start, ghost.id) == (ghost.children[0].start, "")


def test_one_id_in_two_traces_is_two_spans() -> None:
    """A parent is looked for in the span's own trace."""
    roots = plant(sighted(row("a", trace="one"), row("b", trace="two", parent="a")))
    assert [root.span is None for root in roots] == [False, True]


def test_a_cycle_is_cut_at_its_earliest_span() -> None:
    """Spans that are each other's parents are all kept, once, below the earliest."""
    roots = plant(sighted(row("a", parent="c"), row("b", parent="a"), row("c", parent="b"), row("self", parent="self")))
    assert shape(roots) == [("a", ["b", "c"]), ("self", [])]


def test_a_deep_chain_is_no_recursion() -> None:
    """Ten thousand spans, each below the one before, are a tree like any other."""
    rows = [row("s0"), *(row(f"s{i}", parent=f"s{i - 1}") for i in range(1, 10_000))]
    (root,) = plant(sighted(*rows))
    assert sum(1 for _ in root.below()) == 9_999
