"""The canonical model."""

from collector.tree import Job


def test_jobs_are_walked_parents_first_in_order() -> None:
    """A deep and broad tree, without recursion."""
    leaves = [Job(f"l{i}", "t") for i in range(3)]
    root = Job("r", "t", jobs=[Job("a", "t", jobs=leaves[:2]), Job("b", "t", jobs=leaves[2:])])
    assert [job.id for job in root.walk()] == ["r", "a", "l0", "l1", "b", "l2"]
    deep = Job("0", "t")
    for i in range(5000):
        deep = Job(str(i), "t", jobs=[deep])
    assert sum(1 for _ in deep.walk()) == 5001
