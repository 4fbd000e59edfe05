"""Trees that another version built: looked up once, handed out in order, forgotten when built."""

from collector.store.trees.outdated import Outdated


def test_traces_come_in_order_and_once():
    """The oldest come first, a built one not again, and the store is asked once, at the first question."""
    asked = []

    def find() -> list[str]:
        asked.append(1)
        return ["c", "a", "b"]

    old = Outdated(find)
    old.done(["a"])  # before the look-up, which would find it built
    assert asked == []
    assert old.first(2) == ["c", "a"]
    old.done(["c", "unknown"])
    assert old.first(9) == ["a", "b"]
    assert old.among(["b", "c", "x", "a"]) == ["b", "a"]
    assert asked == [1]
