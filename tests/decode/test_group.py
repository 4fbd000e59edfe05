"""What all rows under one resource and one scope share."""

from typing import Any

import orjson

from collector.decode.beside import Notes
from collector.decode.columns import LOGS, SPANS
from collector.decode.group import GROUP_COLUMNS, Group, Resource, Scope


def group(attributes: dict[str, Any] | None = None, scope: dict[str, Any] | None = None) -> Group:
    """A group of this resource and this scope."""
    return Group(
        Resource(attributes or {}, 0, None, [], noted("/resource/a")),
        Scope("lib", "1", scope or {}, 0, None, noted("/scope_attributes/b")),
    )


def noted(at: str) -> Notes:
    """Notes with one about this place."""
    notes = Notes()
    notes.add(at, "bytes", None)
    return notes


def columns(found: Group) -> dict[str, Any]:
    """The shared columns by name."""
    return dict(zip(GROUP_COLUMNS, found.values, strict=True))


def test_shared_columns_are_columns_of_both_tables() -> None:
    """Spans and logs have each of them."""
    assert set(GROUP_COLUMNS) <= set(SPANS)
    assert set(GROUP_COLUMNS) <= set(LOGS)


def test_attributes_are_json_and_the_service_has_a_column() -> None:
    """A resource is always an object; a scope without attributes has none."""
    found = columns(group({"service.name": "shop", "n": 1}))
    assert orjson.loads(found["resource"]) == {"service.name": "shop", "n": 1}
    assert (found["service_name"], found["scope_attributes"], found["resource_entity_refs"]) == ("shop", None, None)
    assert columns(group())["resource"] == "{}"


def test_equal_facts_have_one_digest() -> None:
    """The digest depends on what was said of resource and scope, and on nothing else."""
    assert group({"a": 1}).digest == group({"a": 1}).digest
    others = [group({"a": 2}), group(scope={"a": 1}), group()]
    assert len({found.digest for found in (group({"a": 1}), *others)}) == 4


def test_notes_of_resource_and_scope_are_joined() -> None:
    """Each row below carries both."""
    assert [note[0] for note in group().notes] == ["/resource/a", "/scope_attributes/b"]


def test_a_test_run_may_name_itself_once_for_a_process() -> None:
    """Case, suite and batch on the resource hold for all its spans."""
    said = {"test.case.name": "refund", "tracegrade.batch": "b1", "gen_ai.tool.name": "no"}
    assert group(said).defaults == {"case_name": "refund", "batch": "b1"}


def test_size_grows_with_what_is_shared() -> None:
    """The budget of the queue counts the texts that each row repeats."""
    assert group({"a": "x" * 1000}).size >= group({"a": ""}).size + 1000
