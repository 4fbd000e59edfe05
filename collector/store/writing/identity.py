"""Which of the arriving rows are new, which were delivered before, and which revision of a span is the one to read.

A span is identified by trace id and span id. The same content again is a duplicate; another content is a revision: both
are stored, and the poorer is noted as superseded. Richer is what has ended, then what has more attributes, then what
ended later; ties are broken by the content hash, never by arrival, so that any order of delivery gives the same store.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import orjson

from collector.store.writing.retried import Shape, shape
from collector.store.writing.seen import Seen, log_words, span_words


class Rank(NamedTuple):
    """What makes a revision the richer one; the highest is read."""

    ended: bool
    attributes: int
    end_ns: int
    content_hash: str


class Place(NamedTuple):
    """Where a row is: its commit, and its number in it; of an arriving row (no commit yet) its number in the group."""

    commit_seq: int | None
    row: int


class Revision(NamedTuple):
    """One revision of a span, stored or arriving."""

    rank: Rank
    superseded: bool
    place: Place
    shape: Shape | None = None


class SpanKey(NamedTuple):
    """A span's identity, as lower-case hex texts."""

    trace_id: str
    span_id: str


Stored = dict[SpanKey, dict[str, Revision]]
"""Revisions by content hash, by span."""

LogKey = tuple[str, str | None, str | None, int | None]
"""Content hash, trace id, span id, time."""

LOG_KEY = ("content_hash", "trace_id", "span_id", "time_ns")
"""The columns of a log record's identity."""


@dataclass(slots=True)
class Verdict:
    """What is to be done with the rows of a group: store all but the duplicates, note the superseded revisions."""

    duplicates: list[int] = field(default_factory=list)
    superseded: list[Place] = field(default_factory=list)


def rank(end_ns: int | None, attributes: int, content_hash: str) -> Rank:
    """The rank of a revision by its raw end, its number of attributes and its content hash."""
    return Rank(bool(end_ns), attributes, end_ns or 0, content_hash)


def judge_spans(
    keys: Sequence[bytes],
    seen: Seen,
    look: Callable[[list[int], Sequence[str]], dict[str, list[Any]]],
    look_up: Callable[[list[SpanKey]], Stored],
) -> Verdict:
    """Judge the spans of one group.

    `look` reads columns of some of them, `look_up` the stored revisions of keys that were perhaps seen.
    """
    perhaps = np.flatnonzero(seen.perhaps(span_words(b"".join(keys)))).tolist()
    suspects = sorted({*perhaps, *_repeated(keys)})
    if not suspects:
        return Verdict()
    columns = look(suspects, _LOOKED_AT)
    ids = [SpanKey(*pair) for pair in zip(columns["trace_id"], columns["span_id"], strict=True)]
    doubted = set(perhaps)
    known = look_up([key for row, key in zip(suspects, ids, strict=True) if row in doubted]) if perhaps else {}
    verdict = Verdict()
    grown: set[SpanKey] = set()
    for at, (row, key) in enumerate(zip(suspects, ids, strict=True)):
        revisions = known.setdefault(key, {})
        content = columns["content_hash"][at]
        if content in revisions:
            verdict.duplicates.append(row)
            continue
        count = _length(columns["attributes"][at])
        own = shape(*(columns[name][at] for name in _SHAPE), count, _length(columns["events"][at]))
        if any(other.shape is not None and own.retries(other.shape) for other in revisions.values()):
            verdict.duplicates.append(row)
            continue
        ranked = rank(columns["end_ns"][at], count, content)
        revisions[content] = Revision(ranked, superseded=False, place=Place(None, row), shape=own)
        grown.add(key)
    for key in sorted(grown):
        verdict.superseded.extend(_poorer(known[key]))
    return verdict


def judge_logs(
    hashes: Sequence[str],
    seen: Seen,
    look: Callable[[list[int], Sequence[str]], dict[str, list[Any]]],
    look_up: Callable[[dict[str, list[Any]]], Iterable[LogKey]],
) -> Verdict:
    """Judge the log records of one group by their content hashes.

    `look` reads columns of some of them, `look_up` the stored records that have the hashes of such columns.
    """
    perhaps = np.flatnonzero(seen.perhaps(log_words(bytes.fromhex("".join(hashes))))).tolist()
    suspects = sorted({*perhaps, *_repeated(hashes)})
    if not suspects:
        return Verdict()
    known = set(look_up(look(perhaps, LOG_KEY))) if perhaps else set()
    verdict = Verdict()
    columns = look(suspects, LOG_KEY)
    for row, *values in zip(suspects, *(columns[name] for name in LOG_KEY), strict=True):
        key = tuple(values)
        if key in known:
            verdict.duplicates.append(row)
        known.add(key)
    return verdict


def _repeated(keys: Sequence[Any]) -> list[int]:
    """Rows whose key stands in the group more than once."""
    if len(set(keys)) == len(keys):
        return []
    counts = Counter(keys)
    return [row for row, key in enumerate(keys) if counts[key] > 1]


def _poorer(revisions: dict[str, Revision]) -> list[Place]:
    """The revisions that are not the richest and not noted as superseded yet."""
    best = max(revision.rank for revision in revisions.values())
    return [r.place for r in revisions.values() if r.rank != best and not r.superseded]


_SHAPE = ("beside", "start_ns", "end_ns", "status_code")
_LOOKED_AT = ("trace_id", "span_id", "content_hash", "attributes", "events", *_SHAPE)


def _length(held: str | None) -> int:
    """Of a JSON object or list."""
    try:
        return len(orjson.loads(held or "{}"))
    except orjson.JSONDecodeError:
        return 0
