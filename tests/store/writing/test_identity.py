"""Identity: the same evidence gives the same store, in any order, with any repetition."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from collector.decode.decoded import Decoded
from collector.store.writing.identity import Place, Rank, Revision, SpanKey, judge_logs, judge_spans, rank
from collector.store.writing.seen import Seen, span_words
from tests.store.rows import log, logs, span, spans

ROWS = st.lists(
    st.builds(
        lambda trace, number, end, attributes: span(trace, number, end_ns=end, attributes=attributes),
        st.integers(1, 2),
        st.integers(1, 2),
        st.sampled_from([0, 5, 6]),
        st.sampled_from(['{"a":1}', '{"a":2}', '{"a":1,"b":2}', "{}", "broken"]),
    ),
    max_size=12,
)


def looking(decoded: Decoded) -> Callable[[list[int], Sequence[str]], dict[str, list[Any]]]:
    """Reads some columns of some rows."""
    return lambda rows, names: {name: [decoded.columns[name][row] for row in rows] for name in names}


class Shelf:
    """A store of spans in a dictionary, judged group by group."""

    def __init__(self) -> None:
        self.seen = Seen()
        self.held: dict[SpanKey, dict[str, Revision]] = {}
        self.commits = 0

    def read(self) -> dict[SpanKey, dict[str, bool]]:
        """All revisions, and whether they are superseded."""
        return {key: {c: r.superseded for c, r in revisions.items()} for key, revisions in self.held.items()}

    def deliver(self, rows: list[dict[str, Any]]) -> None:
        """Store one group."""
        if not rows:
            return
        decoded = spans(*rows)
        verdict = judge_spans(
            decoded.keys, self.seen, looking(decoded), lambda keys: {k: dict(self.held.get(k, {})) for k in keys}
        )
        self.commits += 1
        by_place: dict[Place, tuple[SpanKey, str]] = {}
        for number, row in enumerate(rows):
            key, content = SpanKey(row["trace_id"], row["span_id"]), row["content_hash"]
            by_place[Place(None, number)] = key, content
            if number not in verdict.duplicates:
                place = Place(self.commits, number)
                self.held.setdefault(key, {})[content] = Revision(_rank(row), superseded=False, place=place)
        for place in verdict.superseded:
            stored = [(k, c) for k, revisions in self.held.items() for c, r in revisions.items() if r.place == place]
            key, content = by_place[place] if place.commit_seq is None else stored[0]
            self.held[key][content] = self.held[key][content]._replace(superseded=True)
        self.seen.add(span_words(b"".join(decoded.keys)))


def _rank(row: dict[str, Any]) -> Rank:
    counts = {"{}": 0, "broken": 0, '{"a":1,"b":2}': 2}
    return rank(row["end_ns"], counts.get(row["attributes"], 1), row["content_hash"])


@given(ROWS, st.randoms(use_true_random=False), st.integers(1, 5))
def test_any_order_and_repetition_gives_the_same_store(rows: list[dict[str, Any]], chance: random.Random, size: int):
    """The same rows in another order, some twice and in other groups, end as the same revisions with the same one read."""
    first, second = Shelf(), Shelf()
    first.deliver(rows)
    shuffled = [*rows, *rows[: len(rows) // 2]]
    chance.shuffle(shuffled)
    for start in range(0, len(shuffled), size):
        second.deliver(shuffled[start : start + size])
    assert first.read() == second.read()
    assert all(list(revisions.values()).count(False) == 1 for revisions in first.read().values())


def test_the_richer_revision_is_read():
    """Ended beats unended, then more attributes win, then a later end, then the hash."""
    assert rank(5, 0, "a") > rank(0, 9, "z") > rank(None, 8, "z")
    assert rank(5, 2, "a") > rank(6, 1, "z")
    assert rank(6, 1, "a") > rank(5, 1, "z")
    assert rank(5, 1, "b") > rank(5, 1, "a")


def test_equal_logs_in_one_group_are_one():
    """A log record that is delivered twice in one group is stored once; another time makes another record."""
    decoded = logs(log(1, 1), log(1, 1), log(1, 2), log(None, 1))
    hashes = decoded.column("content_hash")
    assert judge_logs(hashes, Seen(), looking(decoded), lambda _columns: []).duplicates == [1]
