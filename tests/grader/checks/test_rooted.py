"""The run is there from its root on."""

import pytest

from collector.tree import Capture
from grader.checks.rooted import Rooted
from tests.grader.trees import captured, scene

CUT = captured() | {"tools": Capture("partial", ["parent_missing"])}


@pytest.mark.parametrize(
    ("more", "truth"),
    [
        ({}, True),
        ({"synthetic": True}, True),
        ({"capture": CUT}, True),
        ({"synthetic": True, "capture": CUT}, None),
    ],
)
def test_a_root_that_is_only_inferred_below_a_missing_span_is_none(more: dict, truth: bool | None) -> None:
    """A job's own span may stand below one that is not the agent's; activity without any job span may be all there was."""
    assert Rooted().decide(scene(**more)).truth is truth
