"""`in_turn`: the first that does not hold decides."""

from dataclasses import dataclass, field

import pytest

from grader.checks.in_turn import InTurn
from grader.outcome import Finding, Truth
from grader.scene import Scene
from tests.grader.trees import scene


@dataclass(frozen=True)
class Said:
    """A check with a given answer, which notes that it was asked."""

    truth: Truth
    asked: list[Truth] = field(default_factory=list)

    def decide(self, scene: Scene) -> Finding:  # noqa: ARG002
        """The given answer."""
        self.asked.append(self.truth)
        return Finding(self.truth, str(self.truth))


@pytest.mark.parametrize("first", [False, None])
def test_what_follows_a_miss_is_not_looked_at(first: Truth) -> None:
    """The miss is the answer."""
    second = Said(True)
    assert InTurn(parts=(Said(first), second)).decide(scene()).truth is first
    assert second.asked == []


@pytest.mark.parametrize("last", [True, False, None])
def test_the_last_answers_where_all_before_hold(last: Truth) -> None:
    """With its own sentence."""
    found = InTurn(parts=(Said(True), Said(last))).decide(scene())
    assert (found.truth, found.sentence) == (last, str(last))


def test_nothing_asked_holds() -> None:
    """There is nothing that could miss."""
    assert InTurn(parts=()).decide(scene()).truth is True
