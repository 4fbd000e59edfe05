"""Spans that tell of the same tool call, one inside the other, and what identifies a call."""

import re
from functools import lru_cache

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.values import Value, same_key

PLACEHOLDERS = frozenset({"", "unknown", "<not specified>", "none", "null", "n/a"})
"""What instrumentations write where they have no call id."""


def real_id(value: Value | str | None) -> str | None:
    """A call id that somebody gave, None for what stands in for one."""
    raw = value.value if isinstance(value, Value) else value
    return raw if isinstance(raw, str) and raw.lower() not in PLACEHOLDERS else None


_COUNTED = re.compile(r"[a-z]*[_-]?\d{1,4}", re.IGNORECASE)


def unique_id(value: Value | str | None) -> str | None:
    """A call id that no other run has: not one that merely counts (`call_0`), as small models and servers give."""
    key = real_id(value)
    return None if key is None or _COUNTED.fullmatch(key) else key


def outermost(node: Node) -> Node:
    """The outermost span that tells of the same call."""
    while node.twin is not None:
        node = node.twin
    return node


def arguments_key(value: Value | None) -> str | None:
    """Equal for equal arguments, None for unknown ones."""
    return same_key(value.value) if value is not None and value.state == "present" else None


@lru_cache(1_000)
def letters(name: str) -> str:
    """A name without what frameworks rewrite: case, spaces, dashes, underscores."""
    return "".join(c for c in name.lower() if c.isalnum())


_HOLDS_CALLS = frozenset({"tool", "job", "workflow"})


def mark(draft: Draft) -> None:
    """Mark tool spans that lie within another span of the same call (a second instrumentor, MCP client and server)."""
    draft.tools = [node for node in draft.nodes if node.said.role == "tool"]
    for node in draft.tools:
        outer = node.parent
        while outer is not None and outer.said.role not in _HOLDS_CALLS:
            outer = outer.parent
        if outer is not None and outer.said.role == "tool" and _same_call(outer, node):
            node.twin = outer
    _beside(draft.tools)


SLACK = 50_000_000
"""Nanoseconds by which a second instrumentation's span of a call may stick out of the first's."""


def _beside(tools: list[Node]) -> None:
    """Mark spans of the same call that stand beside each other: another instrumentation's, within the first one's time."""
    around: dict[str, Node] = {}
    for node in tools:  # in start order
        if node.twin is not None or node.said.tool is None or node.span is None:
            continue
        name = _last_word(node.said.tool.value)
        outer = around.get(name)
        if outer is not None and outer.span is not None and outer.span.scope != node.span.scope:
            inside = node.span.start <= outer.span.end and node.span.end <= outer.span.end + SLACK
            if inside and _same_call(outer, node):
                node.twin = outer
                continue
        around[name] = node


def _last_word(name: str) -> str:
    for mark in ("__", ".", "/"):
        name = name.rsplit(mark, 1)[-1]
    return name


def _same_call(outer: Node, inner: Node) -> bool:
    same = real_id(inner.said.call_id)
    if same is not None and same == real_id(outer.said.call_id):
        return True
    if outer.said.tool is None or inner.said.tool is None or not _alias(outer.said.tool.value, inner.said.tool.value):
        return False
    ids = {key for node in (outer, inner) if (key := real_id(node.said.call_id))}
    arguments = {key for node in (outer, inner) if (key := arguments_key(node.said.arguments))}
    return len(ids) <= 1 and len(arguments) <= 1


def _alias(one: str, other: str) -> bool:
    """Equal names, or one is the other qualified by its server or plug-in (`mcp__shop__lookup`, `shop.lookup`)."""
    if one == other:
        return True
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return longer.endswith(tuple(mark + shorter for mark in ("__", ".", "-", "/")))
