"""Reads YAML 1.2 core with line numbers: plain values, and where each key and item stands.

Built from the parsed nodes, not by ruamel's own constructor: that one stops at the first duplicate key, and we report all.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from grader.syntax.mistakes import Mistake

Where = tuple[str | int, ...]

_NULL = re.compile(r"null|Null|NULL|~|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)")
_NAN = re.compile(r"\.(nan|NaN|NAN)")

MOST_NODES = 50_000
"""A suite is far smaller; aliases of aliases could blow a small file up to anything."""


@dataclass(slots=True)
class Document:
    """A file's value, and the line of everything in it (from 1)."""

    value: Any = None
    lines: dict[Where, int] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    nodes: int = 0

    def line(self, where: Where) -> int:
        """The line of that place, else of the nearest place around it."""
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where, 1)


def read(
    path: str | Path, text: str, scalar: "Callable[[str], Any] | None" = None, *, merging: bool = False
) -> Document:
    """The document, or one with the mistakes that kept it from being read.

    `scalar` reads plain scalars (None: by the core schema); `merging`: the key `<<` takes over what it names, as in 1.1.
    """
    document = Document()
    try:
        parser = YAML(typ="rt", pure=True)
        parser.allow_duplicate_keys = True
        node = parser.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        document.mistakes.append(Mistake(str(path), line, "", f"not YAML: {error.problem or error.context}"))
        return document
    except (YAMLError, RecursionError) as error:
        document.mistakes.append(
            Mistake(str(path), 1, "", f"not YAML: {str(error).splitlines()[0] if str(error) else 'nested too deep'}")
        )
        return document
    if node is None:
        document.mistakes.append(Mistake(str(path), 1, "", "the file is empty"))
        return document
    _Reader(str(path), document, scalar or core, merging=merging).read(node)
    return document


class _Reader:
    """One pass over the nodes of one document."""

    def __init__(self, path: str, document: Document, scalar: Callable[[str], Any], *, merging: bool) -> None:
        self.path = path
        self.document = document
        self.scalar = scalar
        self.merging = merging
        self.open: set[int] = set()

    def read(self, node: Node) -> None:
        self.document.value = self._value(node, ())

    def _wrong(self, node: Node, where: Where, message: str) -> None:
        line = node.start_mark.line + 1
        self.document.mistakes.append(Mistake(self.path, line, dotted(where), message))

    def _value(self, node: Node, where: Where) -> Any:
        self.document.lines.setdefault(where, node.start_mark.line + 1)
        self.document.nodes += 1
        if self.document.nodes > MOST_NODES or id(node) in self.open:
            if self.document.nodes <= MOST_NODES + 1:
                self._wrong(node, where, "an alias holds itself, or aliases blow the file up")
            return None
        if isinstance(node, ScalarNode):
            return self._scalar(node, where)
        self.open.add(id(node))
        try:
            return self._mapping(node, where) if isinstance(node, MappingNode) else self._sequence(node, where)
        finally:
            self.open.discard(id(node))

    def _sequence(self, node: Node, where: Where) -> Any:
        return (
            [self._value(child, (*where, i)) for i, child in enumerate(node.value)]
            if isinstance(node, SequenceNode)
            else None
        )

    def _mapping(self, node: MappingNode, where: Where) -> dict[str, Any]:
        values: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if self.merging and key_node.value == "<<" and key_node.style is None:
                merged = self._merge(value_node, where) | merged
                continue
            if not isinstance(key_node, ScalarNode):
                self._wrong(key_node, where, "a key must be a plain text")
                continue
            key = str(key_node.value)
            below = (*where, key)
            if key in values:
                self._wrong(
                    key_node, below, f"the key {key!r} stands here twice (first on line {self.document.lines[below]})"
                )
                continue
            self.document.lines[below] = key_node.start_mark.line + 1
            values[key] = self._value(value_node, below)
        return {k: v for k, v in merged.items() if k not in values} | values

    def _merge(self, node: Node, where: Where) -> dict[str, Any]:
        """What `<<` takes over: a mapping's keys, or those of several, the first of which wins."""
        found: dict[str, Any] = {}
        for number, part in enumerate(node.value if isinstance(node, SequenceNode) else [node]):
            value = self._value(part, (*where, "<<", number))
            if isinstance(value, dict):
                found = value | found
            else:
                self._wrong(part, where, "`<<` takes over mappings only")
        return found

    def _scalar(self, node: ScalarNode, where: Where) -> Any:
        text = str(node.value)
        if node.style in ("'", '"', "|", ">"):
            return text
        try:
            return self.scalar(text)
        except ValueError:
            self._wrong(node, where, f"{text[:40]!r} is a number that cannot be read")
            return None


def core(text: str) -> Any:
    """A plain scalar by the YAML 1.2 core schema: `yes`, `on` and dates are texts, `0o17` is a number."""
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() == "true"
    for pattern, base in ((_INT, 10), (_OCTAL, 8), (_HEX, 16)):
        if pattern.fullmatch(text):
            return int(text, base)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _INFINITE.fullmatch(text):
        return -math.inf if text.startswith("-") else math.inf
    return math.nan if _NAN.fullmatch(text) else text


def dotted(where: Where) -> str:
    """A place as people write it: cases[0].expect[2].with.amount."""
    text = ""
    for step in where:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text
