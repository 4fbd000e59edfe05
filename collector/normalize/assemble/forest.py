"""Sightings → a forest: who is below whom, whatever is missing.

A parent that is not there becomes a *ghost*, so that its children stay siblings; a cycle is cut at its earliest span.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from collector.normalize.dialect import Role, Sighting
from collector.normalize.reading import Span

if TYPE_CHECKING:
    from collector.normalize.assemble.draft import Draft


@dataclass(slots=True, eq=False)
class Node:
    """A span, what is said about it, and its place. A ghost has no span."""

    span: Span | None
    said: Sighting
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)
    job: "Draft | None" = None  # the job that it belongs to
    twin: "Node | None" = None  # the outer span of the same model or tool call
    implied: bool = False  # it has no span of its own: `span` is that of the first below it, stretched over all

    @property
    def role(self) -> Role | None:
        """What the span stands for."""
        return self.said.role

    @property
    def start(self) -> int:
        """Start in nanoseconds; a ghost starts with its first child."""
        return self.span.start if self.span else self.children[0].start if self.children else 0

    @property
    def id(self) -> str:
        """The span id, "" for a ghost."""
        return self.span.span_id if self.span else ""

    def ancestors(self) -> Iterator["Node"]:
        """The nodes above, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def below(self) -> "list[Node]":
        """The nodes below, parents first, in start order."""
        out: list[Node] = []
        stack = self.children[::-1]
        while stack:
            node = stack.pop()
            out.append(node)
            if node.children:
                stack += node.children[::-1]
        return out


BY_START = attrgetter("span.start", "span.span_id")
"""The order of nodes that have a span each."""


def walk(roots: list[Node]) -> list[list[Node]]:
    """Of each tree all nodes, parents first, in start order."""
    return [[root, *root.below()] for root in roots]


def plant(sighted: list[tuple[Span, Sighting]]) -> list[Node]:
    """Roots in start order; each node's children in start order (the input's order)."""
    nodes = [Node(span, said) for span, said in sighted]
    by_key = {(span.trace_id, span.span_id): node for (span, _), node in zip(sighted, nodes, strict=True)}
    ghosts: dict[tuple[str, str], Node] = {}
    roots: list[Node] = []
    for node in nodes:
        span = node.span
        if span is None or span.parent_id is None:
            node.parent = _cause(node, by_key)
            (node.parent.children if node.parent else roots).append(node)
            continue
        key = (span.trace_id, span.parent_id)
        parent = by_key.get(key)
        if parent is None:
            parent = ghosts.get(key)
            if parent is None:
                parent = ghosts[key] = Node(None, Sighting())
                roots.append(parent)
        node.parent = parent
        parent.children.append(node)
    roots.extend(_cut_cycles([*nodes, *ghosts.values()], roots))
    roots.sort(key=lambda node: (node.start, node.id))
    return roots


def _cause(node: Node, by_key: dict[tuple[str, str], Node]) -> Node | None:
    """What sent the message that this span is about."""
    if node.span is None or not node.said.caused:
        return None
    causes = (by_key.get((link.trace_id, link.span_id)) for link in node.span.links)
    return next((cause for cause in causes if cause is not None and cause is not node), None)


def _cut_cycles(nodes: list[Node], roots: list[Node]) -> list[Node]:
    """Spans that no root reaches go round in circles: the earliest of each circle becomes a root."""
    found = list(roots)
    for node in found:  # the list grows meanwhile
        found += node.children
    if len(found) == len(nodes):
        return []
    reached = set(map(id, found))
    cut: list[Node] = []
    for node in nodes:
        if id(node) in reached:
            continue
        if node.parent is not None:
            node.parent.children.remove(node)
            node.parent = None
        cut.append(node)
        reached.add(id(node))
        reached.update(map(id, node.below()))
    return cut
