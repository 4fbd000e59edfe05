"""Gives each of several demands something of its own: a maximum matching in a bipartite graph, never a greedy one."""

from collections.abc import Sequence


def assign(options: Sequence[Sequence[int]]) -> list[int | None]:
    """For each demand one of its options, no option twice, as many demands served as can be (None: this one is not).

    Kuhn's augmenting paths, searched in breadth so that no depth of recursion limits it: at most demands x edges steps.
    Demands that come first are served first, and keep being served.
    """
    holder: dict[int, int] = {}
    given: list[int | None] = [None] * len(options)
    for demand in range(len(options)):
        _augment(demand, options, holder, given)
    return given


def served(given: Sequence[int | None]) -> int:
    """How many demands have something."""
    return sum(option is not None for option in given)


def _augment(demand: int, options: Sequence[Sequence[int]], holder: dict[int, int], given: list[int | None]) -> None:
    """Serves one demand more, if those served before can step aside for it."""
    reached: dict[int, int] = {}
    waiting = [demand]
    for one in waiting:
        for option in options[one]:
            if option in reached:
                continue
            reached[option] = one
            if option not in holder:
                _shift(option, reached, holder, given)
                return
            waiting.append(holder[option])


def _shift(option: int, reached: dict[int, int], holder: dict[int, int], given: list[int | None]) -> None:
    """Walks back from a free option: each demand on the way takes the new one and leaves its old one to the next."""
    step: int | None = option
    while step is not None:
        demand = reached[step]
        left, given[demand] = given[demand], step
        holder[step] = demand
        step = left
