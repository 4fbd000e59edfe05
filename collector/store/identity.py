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

from collector.store.retried import Shape, shape
from collector.store.seen import Seen, log_words, span_words


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


@dataclass(slots=True)
class Verdict:
    """What is to be done with the rows of a group: store all but the duplicates, note the superseded revisions."""

    duplicates: list[int] = field(default_factory=list)
    superseded: list[Place] = field(default_factory=list)


def rank(end_ns: int | None, attributes: int, content_hash: str) -> Rank:
    """The rank of a revision by its raw end, its number of attributes and its content hash."""
    return Rank(bool(end_ns), attributes, end_ns or 0, content_hash)


def judge_spans(
    columns: dict[str, list[Any]], keys: Sequence[bytes], seen: Seen, look_up: Callable[[list[SpanKey]], Stored]
) -> Verdict:
    """Judge the spans of one group; `look_up` reads the stored revisions of keys that were perhaps seen."""
    perhaps = np.flatnonzero(seen.perhaps(span_words(b"".join(keys)))).tolist()
    suspects = sorted({*perhaps, *_repeated(keys)})
    if not suspects:
        return Verdict()
    traces, spans = columns["trace_id"], columns["span_id"]
    known = look_up([SpanKey(traces[i], spans[i]) for i in perhaps]) if perhaps else {}
    verdict = Verdict()
    grown: set[SpanKey] = set()
    for row in suspects:
        key = SpanKey(traces[row], spans[row])
        revisions = known.setdefault(key, {})
        content = columns["content_hash"][row]
        if content in revisions:
            verdict.duplicates.append(row)
            continue
        count = _length(columns["attributes"][row])
        own = shape(*(columns[name][row] for name in _SHAPE), count, _length(columns["events"][row]))
        if any(other.shape is not None and own.retries(other.shape) for other in revisions.values()):
            verdict.duplicates.append(row)
            continue
        ranked = rank(columns["end_ns"][row], count, content)
        revisions[content] = Revision(ranked, superseded=False, place=Place(None, row), shape=own)
        grown.add(key)
    for key in sorted(grown):
        verdict.superseded.extend(_poorer(known[key]))
    return verdict


def judge_logs(columns: dict[str, list[Any]], seen: Seen, look_up: Callable[[list[int]], Iterable[LogKey]]) -> Verdict:
    """Judge the log records of one group; `look_up` reads the stored ones with the hashes of these rows."""
    hashes = columns["content_hash"]
    perhaps = np.flatnonzero(seen.perhaps(log_words(bytes.fromhex("".join(hashes))))).tolist()
    suspects = sorted({*perhaps, *_repeated(hashes)})
    if not suspects:
        return Verdict()
    known = set(look_up(perhaps)) if perhaps else set()
    verdict = Verdict()
    for row in suspects:
        key = (hashes[row], columns["trace_id"][row], columns["span_id"][row], columns["time_ns"][row])
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


def _length(held: str | None) -> int:
    """Of a JSON object or list."""
    try:
        return len(orjson.loads(held or "{}"))
    except orjson.JSONDecodeError:
        return 0
