"""Labels in a JSONL file, in the evalstone form: one a line, and later lines win (S2-51)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from collector import UserError
from grader.people.label import Label, NoLabelError, from_line, to_line

DEFAULT = "labels.jsonl"
"""Beside the suite, where a check names no file and the store has none of its labels (S2-52)."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that is no label: what is wrong, and whose label it would be (None: that cannot be read)."""

    line: int
    message: str
    whose: Label | None


@dataclass(slots=True)
class LabelFile:
    """The labels in the order of their lines, each with its line, and the lines that are none."""

    labels: list[tuple[int, Label]] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)


def read(path: Path) -> LabelFile:
    """Every line that is not blank.

    Raises:
        UserError: the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        raise UserError(f"{path} cannot be read: {reason}") from None
    found = LabelFile()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.labels.append((number, from_line(line)))
        except NoLabelError as error:
            found.broken.append(Broken(number, str(error), error.whose))
    return found


def write(path: Path, labels: Iterable[Label]) -> None:
    """In their order, in place of what the file held.

    Raises:
        UserError: the file cannot be written.
    """
    try:
        path.write_bytes(b"".join(to_line(label) + b"\n" for label in labels))
    except OSError as error:
        raise UserError(f"The labels cannot be written to {path}: {error.strerror}") from None
