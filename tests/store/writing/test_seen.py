"""The filter: certain when it says no."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from collector.store.writing.seen import FIRST_CAPACITY, Seen, log_words, span_words

KEYS = st.lists(st.binary(min_size=24, max_size=24), max_size=50)


@given(KEYS)
def test_added_keys_are_always_perhaps_seen(keys: list[bytes]):
    """What was added is never called new, whatever the keys are."""
    seen = Seen()
    seen.add(span_words(b"".join(keys)))
    assert seen.perhaps(span_words(b"".join(keys))).all()


def test_false_alarms_are_rare_beyond_the_first_capacity():
    """With two layers full of keys fewer than 1 in 1,000 new keys are perhaps seen."""
    random = np.random.default_rng(1)
    seen = Seen()
    old = random.integers(0, 2**63, size=(FIRST_CAPACITY * 2, 3), dtype=np.uint64)
    seen.add(old)
    assert seen.count == len(old)
    assert seen.perhaps(old).all()
    assert seen.perhaps(random.integers(0, 2**63, size=(20_000, 3), dtype=np.uint64)).mean() < 0.001


def test_neighbouring_ids_are_told_apart():
    """Ids that count upwards, as test tools make them, do not look alike to the filter."""
    seen = Seen()
    low = np.zeros((10_000, 3), dtype=np.uint64)
    low[:, 2] = np.arange(10_000)
    seen.add(low)
    assert seen.perhaps(low + np.array([0, 0, 10_000], dtype=np.uint64)).sum() < 10


def test_logs_and_spans_become_words():
    """A span's key is three words, a log's hash two and a constant."""
    assert span_words(b"\1" * 48).shape == (2, 3)
    assert log_words(b"\1" * 48).shape == (3, 3)
    assert len(span_words(b"")) == 0
