"""Which tools, agents and skills a check mentions, whatever its format: what `lint` looks up in traces and manifests.

Any part of a primitive may have a method `mentioned()` that gives its names; the walk finds it in every field.
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from grader.outcome import Truth
from grader.scene import Scope

Kind = Literal["tool", "agent", "skill"]


@dataclass(frozen=True, slots=True)
class Named:
    """A name and how it is matched (for tools a value of `Names`). `inside`: what stands below is about that agent."""

    kind: Kind
    name: str
    names: Any = "exact"
    inside: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A name where it stands: over which scope, and in which child (agents from the root's child down)."""

    named: Named
    scope: Scope
    path: tuple[str, ...]


def mentions(value: Any, scope: Scope = "tree", path: tuple[str, ...] = ()) -> Iterator[Mention]:
    """All names in a primitive, in the order of its fields."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from mentions(part, scope, path)
        return
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return
    scope = getattr(value, "scope", scope)
    told = getattr(value, "mentioned", None)
    for named in told() if told is not None else ():
        yield Mention(named, scope, path)
        path = (*path, named.name) if named.inside else path
    for field in dataclasses.fields(value):
        if field.init:
            yield from mentions(getattr(value, field.name), scope, path)


def same_skill(wanted: str, read: str) -> Truth:
    """Whether a read is of that skill: `refund-policy` is any plugin's; of which plugin a bare name is, is not known."""
    if wanted == read:
        return True
    if wanted.rpartition("/")[2] != read.rpartition("/")[2]:
        return False
    if "/" not in wanted:
        return True
    return None if "/" not in read else False
