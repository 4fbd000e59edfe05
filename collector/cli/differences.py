"""What is different between two trees of one run: facts alone, nothing of where they came from."""

import dataclasses
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import orjson

from collector.tree import Run
from collector.tree_text import PROVENANCE

NOTHING = type("Nothing", (), {"__repr__": lambda _: "nothing"})()
"""Stands where one of the trees has no such fact at all (None is a fact)."""


class Difference(NamedTuple):
    """One fact by its path in the tree, as in `root.tool_calls[0].arguments.amount`."""

    path: str
    before: Any
    after: Any


def differences(before: Run, after: Run) -> list[Difference]:
    """The facts in which two trees differ, in the order of the tree."""
    return list(_differ("", _plain(before), _plain(after)))


def _plain(value: Any) -> Any:
    """Our own objects as dictionaries of their facts; what a user's call was given stays as it is."""
    if dataclasses.is_dataclass(value):
        names = (f.name for f in dataclasses.fields(value) if f.name not in PROVENANCE)
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _differ(path: str, before: Any, after: Any) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before | after:
            below = f"{path}.{key}" if path else str(key)
            yield from _differ(below, before.get(key, NOTHING), after.get(key, NOTHING))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _lists(path, before, after)
    elif _text(before) != _text(after):
        yield Difference(path, before, after)


def _lists(path: str, before: list[Any], after: list[Any]) -> Iterator[Difference]:
    """Items that are equal are matched first, so that one more call does not make all later ones differ."""
    matcher = SequenceMatcher(None, [_text(item) for item in before], [_text(item) for item in after], autojunk=False)
    for kind, old, old_end, new, new_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for step in range(max(old_end - old, new_end - new)):
            was = before[old + step] if old + step < old_end else NOTHING
            now = after[new + step] if new + step < new_end else NOTHING
            yield from _differ(f"{path}[{(old if now is NOTHING else new) + step}]", was, now)


def _text(value: Any) -> bytes | None:
    """Equal for equal facts; 1 and 1.0 are the same number, 1 and true are not."""
    if value is NOTHING:
        return None
    return orjson.dumps(_numbers(value), default=str, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)


def _numbers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value) if abs(value) < 2**53 else value
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items()}
    return value
