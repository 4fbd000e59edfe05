"""Dollars of model calls."""

from grader.money import cost, total
from grader.scene import Scene
from tests.grader.trees import captured, child, job, model_call, run, scene


def test_dollars_add_up_as_they_are_written() -> None:
    """Three times ten cents is thirty, not a hair more; nothing costs nothing."""
    assert total([0.1, 0.1, 0.1]) == 0.3
    assert total([]) == 0


def test_the_cost_of_a_tree_holds_what_is_below() -> None:
    """Over the tree all jobs count, over the job its own calls."""
    root = job(model_calls=[model_call(cost_usd=0.1)], jobs=[child("c", model_calls=[model_call(cost_usd=0.2)])])
    assert (cost(Scene(run(root)), "tree"), cost(Scene(run(root)), "job")) == (0.3, 0.1)


def test_a_cost_that_is_not_told_in_full_is_unknown() -> None:
    """A call without its figure, or calls that may be missing."""
    assert cost(scene(model_calls=[model_call(), model_call(cost_usd=None)]), "tree") is None
    assert cost(scene(model_calls=[model_call()], capture=captured(model_calls="partial")), "tree") is None
