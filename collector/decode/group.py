"""What all rows under one resource and one scope share: encoded once, repeated by reference."""

from dataclasses import dataclass
from typing import Any

from collector.decode.beside import Notes
from collector.decode.content import digest
from collector.decode.json_text import dump
from collector.decode.promoted import as_text, resource_defaults


@dataclass(slots=True)
class Resource:
    """A ResourceSpans' or ResourceLogs' own facts."""

    attributes: dict[str, Any]
    dropped: int
    schema_url: str | None
    entity_refs: list[dict[str, Any]]
    notes: Notes


@dataclass(slots=True)
class Scope:
    """A ScopeSpans' or ScopeLogs' own facts."""

    name: str | None
    version: str | None
    attributes: dict[str, Any]
    dropped: int
    schema_url: str | None
    notes: Notes


GROUP_COLUMNS = (
    "resource",
    "resource_dropped_attributes_count",
    "resource_schema_url",
    "resource_entity_refs",
    "scope_name",
    "scope_version",
    "scope_attributes",
    "scope_dropped_attributes_count",
    "scope_schema_url",
    "service_name",
)


class Group:
    """The shared columns of the rows under one scope, and their share of the content hash."""

    __slots__ = ("defaults", "digest", "notes", "size", "values")

    def __init__(self, resource: Resource, scope: Scope) -> None:
        attributes = dump(resource.attributes).decode()
        entity_refs = dump(resource.entity_refs).decode() if resource.entity_refs else None
        scope_attributes = dump(scope.attributes).decode() if scope.attributes else None
        self.values = (
            attributes,
            resource.dropped,
            resource.schema_url,
            entity_refs,
            scope.name,
            scope.version,
            scope_attributes,
            scope.dropped,
            scope.schema_url,
            as_text(resource.attributes.get("service.name")),
        )
        self.notes = Notes(resource.notes + scope.notes)
        shared = dump(self.values)
        self.size = len(shared)
        self.digest = digest(shared)
        self.defaults = resource_defaults(resource.attributes)
