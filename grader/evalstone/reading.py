"""How the checks of an evalstone file are read: what every check type needs, and how a reference is found."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.checks.note import Ungraded
from grader.code.process import Permission
from grader.evalstone.datasets import Sample
from grader.patterns import dig
from grader.replies import Rendering
from grader.scene import Primitive
from grader.syntax.foreign import Fields

AS_TEXT: Rendering = "sorted"
"""An output as text: itself, "" for null, else JSON with sorted keys (S2-58)."""

Make = Callable[[Sample], Primitive]
"""A check on a sample: what it asks may hang on what the sample expects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stands around a check in its file: the folder, and the model that judges by default (None: not said).

    `allowed` None: no code of the file's author runs.
    """

    folder: Path
    model: str | None = None
    allowed: Permission | None = None


Reader = Callable[[Fields, Around], Make]
"""Reads a check's own keys; mistakes go into the fields' sheet, and what is made then does not matter."""


def always(primitive: Primitive) -> Make:
    """The same check on every sample."""
    return lambda _sample: primitive


def unscored(kind: str, why: str) -> Primitive:
    """A check that cannot score: with evalstone's policy an error, never a pass (S2-1, S2-2, S2-4)."""
    return Ungraded(text=kind, why=f"cannot be scored: {why}")


def path_of(text: str) -> tuple[str, ...]:
    """The steps of a path: dotted, list positions as `items.0` or `items[0]` (S2-5)."""
    return tuple(re.sub(r"\[(-?\d+)\]", r".\1", text).strip(".").split("."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Where the reference stands: in the check itself, in the sample's `expected`, or at a path in it (S2-5)."""

    literal: Any = None
    path: str | None = None

    def of(self, sample: Sample) -> tuple[Any, str]:
        """The reference (never null), or None with the reason why there is none."""
        if self.literal is not None:
            return self.literal, ""
        if sample.expected is None:
            return None, f"sample {sample.id!r} has no `expected`"
        if self.path is None:
            return sample.expected, ""
        found, there = dig(sample.expected, path_of(self.path))
        if found is None:
            state = "is null" if there else "is missing"
            return None, f"`expected.{self.path}` of sample {sample.id!r} {state}"
        return found, ""


def reference(fields: Fields, key: str = "expected", default_path: str | None = None) -> Reference:
    """A literal below `key`, else `path`; both at once contradict each other (S2-9)."""
    literal = fields.raw(key)
    path = fields.text_or("path", None)
    if literal is not None and path is not None:
        fields.wrong("path", f"`{key}` and `path` exclude each other: a literal, or a place in the sample's `expected`")
    return Reference(literal=literal, path=None if literal is not None else path or default_path)
