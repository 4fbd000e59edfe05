"""What decoding gives: counts, and codes with words."""

import numpy as np
import pyarrow as pa
import pytest

from collector.decode.decoded import REASONS, WARNINGS, Decoded, Rejected, count


def test_delivered_counts_refused_rows_too() -> None:
    """Rows and refusals together."""
    rejected: dict[str, int] = {}
    count(rejected, "wrong_type")
    count(rejected, "wrong_type", 2)
    assert rejected == {"wrong_type": 3}
    assert Decoded("logs", {}, 4, 0, rejected=rejected).delivered == 7


def test_requests_do_not_share_their_counts() -> None:
    """What one request counts is not seen in another."""
    one, other = (Decoded("spans", {}, 0, 0) for _ in range(2))
    count(one.rejected, "wrong_type")
    count(one.warnings, "too_deep")
    one.keys.append(bytes(24))
    assert (other.rejected, other.warnings, other.keys) == ({}, {}, [])


def test_a_refusal_carries_its_code() -> None:
    """Whoever catches it counts by the code, and finds words for it."""
    with pytest.raises(Rejected) as caught:
        raise Rejected("span_id_zero")
    assert REASONS[caught.value.code] == "a span id must not be all zeros"


def test_codes_are_names_and_words_are_for_the_answer() -> None:
    """A code fits into an identifier; its words begin small and have no full stop, since a count stands before them."""
    for code, words in (REASONS | WARNINGS).items():
        assert code.isidentifier()
        assert code == code.lower()
        assert not words.endswith(".")
        assert not words[0].isupper()
    assert not REASONS.keys() & WARNINGS.keys()


def held() -> Decoded:
    """Four rows of two requests: two in a table, two in lists."""
    table = pa.table({"name": ["a", "b"], "at": pa.array([1, 2], pa.timestamp("ns"))})
    return Decoded(
        "spans",
        {"name": ["c", "d"], "at": [3, 4]},
        4,
        0,
        [b"a", b"b", b"c", b"d"],
        table=table,
        owners=np.array([0, 1, 0, 1]),
    )


def test_rows_that_are_left_out_are_counted_for_their_request() -> None:
    """Of the table and of the lists; keys and owners stay in step."""
    found = held()
    found.keep([1, 2], "deleted")
    assert (found.column("name"), found.keys, found.by_column) == (["b", "c"], [b"b", b"c"], 1)
    assert [found.owner(row) for row in range(found.rows)] == [1, 0]
    assert (found.rejected, found.left_out) == ({"deleted": 2}, {"deleted": {0: 1, 1: 1}})


def test_rows_that_are_taken_out_of_the_table_stand_behind_the_others() -> None:
    """To be looked at one by one; times as nanoseconds."""
    found = held()
    found.take_out([0])
    assert found.columns == {"name": ["c", "d", "a"], "at": [3, 4, 1]}
    assert (found.by_column, found.rows, found.keys) == (1, 4, [b"b", b"c", b"d", b"a"])
    assert [found.owner(row) for row in range(4)] == [1, 0, 1, 0]
    found.take_out([])
    assert found.by_column == 1
