"""What decoding gives: counts, and codes with words."""

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
