"""Promoted columns."""

from typing import Any

import pytest

from collector.decode.promoted import PROMOTED, Promoter, as_count, as_number, as_text, resource_defaults


def promoted(attributes: dict[str, Any], resource: dict[str, Any] | None = None) -> dict[str, Any]:
    """The columns that are set."""
    promoter = Promoter()
    promoter.add(attributes)
    columns = promoter.columns([(resource_defaults(resource or {}), 1)])
    return {name: values[0] for name, values in columns.items() if values[0] is not None}


def test_each_row_has_its_own_resource():
    """Defaults reach the rows of their group alone."""
    promoter = Promoter()
    for _ in range(3):
        promoter.add({})
    columns = promoter.columns([({"batch": "a"}, 1), ({}, 1), ({"batch": "c"}, 1)])
    assert columns["batch"] == ["a", None, "c"]
    assert set(columns) == set(PROMOTED)
    assert all(values == [] for values in Promoter().columns([]).values())


def test_the_first_name_counts():
    """Of several names the first that the span has gives the value, whatever their order in the span."""
    assert promoted({"agent_name": "c", "agent.name": "b", "gen_ai.agent.name": "a"}) == {"agent_name": "a"}
    assert promoted({"llm.system": "openai", "other": 1}) == {"provider": "openai"}


def test_the_resource_helps_out():
    """Case, suite and batch come from the resource where the span says nothing."""
    resource = {"test.case.name": "r", "cicd.pipeline.run.id": "7", "gen_ai.agent.name": "no"}
    assert promoted({}, resource) == {"case_name": "r", "batch": "7"}
    assert promoted({"test.case.name": "s"}, resource) == {"case_name": "s", "batch": "7"}


@pytest.mark.parametrize(
    ("read", "value", "found"),
    [
        (as_text, 5, "5"),
        (as_text, True, "true"),
        (as_text, ["x"], None),
        (as_count, 5.0, 5),
        (as_count, 5.5, None),
        (as_count, "5", None),
        (as_count, True, None),
        (as_count, 1e300, None),
        (as_number, 2, 2.0),
        (as_number, "2", None),
    ],
)
def test_values_of_another_type(read: Any, value: Any, found: Any):
    """What can be read without guessing is; the rest is null."""
    assert read(value) == found
    assert type(read(value)) is type(found)
