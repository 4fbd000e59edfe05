"""A dataset: a JSONL file of samples, each an input with what is expected of it (S2-58)."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from grader.case import digest
from grader.syntax.foreign import kind_of
from grader.syntax.mistakes import Mistake

KEYS = ("id", "input", "expected", "metadata", "tags")
_ID_DIGITS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One line. `expected` is None where the line has none: a missing and a null reference are alike (S2-4)."""

    id: str
    input: Any
    expected: Any
    line: int
    content: str
    """Hash of id, input, expected and tags: the definition's, whatever of it a check reads."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    tags: Sequence[str] = ()

    def plain(self) -> dict[str, Any]:
        """All of it that an author's function may look at, for JSON."""
        return {
            "id": self.id, "input": self.input, "expected": self.expected,
            "metadata": dict(self.metadata), "tags": list(self.tags),
        }  # fmt: skip


@dataclass(slots=True)
class Dataset:
    """The samples of a file in its order, with the mistakes and notices about it."""

    path: Path
    samples: list[Sample] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def wrong(self, line: int, key: str, message: str) -> None:
        """Notes a mistake on a line."""
        self.mistakes.append(Mistake(str(self.path), line, key, message))


def read(path: Path) -> Dataset:
    """Every line, with all mistakes; raises nothing."""
    dataset = Dataset(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        dataset.wrong(1, "", f"cannot be read: {reason}")
        return dataset
    unknown: dict[str, int] = {}
    first: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        sample = _sample(dataset, line, number, unknown)
        if sample is None:
            continue
        if sample.id in first:
            dataset.wrong(number, "id", f"a sample {sample.id!r} stands on line {first[sample.id]} already")
            continue
        first[sample.id] = number
        dataset.samples.append(sample)
    if not dataset.samples and not dataset.mistakes:
        dataset.wrong(1, "", "holds no sample")
    dataset.notices += [f"{path.name}: the key {k!r} (line {n}) is not known and not used" for k, n in unknown.items()]
    return dataset


def _sample(dataset: Dataset, line: str, number: int, unknown: dict[str, int]) -> Sample | None:
    """The line's sample; None where it is none, which is noted."""
    try:
        raw = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        dataset.wrong(number, "", f"not JSON: {error.msg} (character {error.colno})")
        return None
    if not isinstance(raw, dict):
        dataset.wrong(number, "", f"must be one JSON object a line, is {kind_of(raw)}")
        return None
    for key in raw:
        if key not in KEYS:
            unknown.setdefault(key, number)
    mistakes = list(_mistakes(raw))
    for key, message in mistakes:
        dataset.wrong(number, key, message)
    if mistakes:
        return None
    given, expected, identity = raw["input"], raw.get("expected"), raw.get("id")
    name = default_id(given, expected) if identity is None else str(identity)
    content = digest([name, given, expected, raw.get("tags")])
    return Sample(
        id=name, input=given, expected=expected, line=number, content=content,
        metadata=raw.get("metadata") or {}, tags=raw.get("tags") or (),
    )  # fmt: skip


def _mistakes(raw: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Key by key what a line cannot hold."""
    identity, tags, metadata = raw.get("id"), raw.get("tags"), raw.get("metadata")
    if "input" not in raw:
        yield "input", "is missing"
    if identity is not None and (isinstance(identity, bool) or not isinstance(identity, str | int) or identity == ""):
        yield "id", f"must be a text or a whole number, is {kind_of(identity)}"
    if tags is not None and not (isinstance(tags, list) and all(isinstance(t, str) for t in tags)):
        yield "tags", "must be a list of texts"
    if metadata is not None and not isinstance(metadata, dict):
        yield "metadata", f"must be an object, is {kind_of(metadata)}"


def default_id(given: Any, expected: Any) -> str:
    """A sample without an id has one from its input and what is expected: the same for the same line (S2-58)."""
    text = json.dumps([given, expected], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]
