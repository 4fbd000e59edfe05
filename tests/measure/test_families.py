"""The list of metrics."""

import re

import pytest

from collector.measure.families import FAMILIES, Family


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_names_follow_the_custom(family: Family):
    """Names are ours and end as their kind wants it: counters in _total, sizes and times in their unit; help is a sentence."""
    assert re.fullmatch(r"tracegrade_[a-z_]+[a-z]", family.name)
    assert family.name.endswith("_total") == (family.kind == "counter")
    assert family.kind != "histogram" or family.name.endswith("_seconds")
    assert all(re.fullmatch(r"[a-z]+", label) and label != "le" for label in family.labels)
    assert family.help.endswith(".")


def test_each_name_is_there_once():
    """No two metrics have the same name."""
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
