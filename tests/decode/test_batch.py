"""Requests together: whose rows are whose, and what each is told."""

from collector.decode import DecodeError, traces_protobuf
from collector.decode.batch import Share, added, joined, one_by_one
from tests.decode.columnar.compare import by_column
from tests.decode.samples import request, span

GOOD = request(span(), span(span_id=b"neighbor")).SerializeToString()
BAD = request(span(), span(trace_id=b"x")).SerializeToString()


def test_a_corrupt_body_costs_the_others_nothing():
    """It has its error, they have their rows and refusals, each its own."""
    batch = one_by_one(traces_protobuf, [GOOD, b"\xff", BAD, b""])
    one, broken, other, empty = batch.shares
    assert isinstance(broken, DecodeError)
    assert one == Share(2)
    assert other == Share(2, {"trace_id_length": 1})
    assert empty == Share(0)
    assert [batch.decoded.owner(row) for row in range(batch.decoded.rows)] == [0, 0, 2]
    assert (batch.decoded.rejected, batch.decoded.delivered) == ({"trace_id_length": 1}, 4)


def test_what_a_request_is_told_is_its_own():
    """What happens to the rows later changes no share: whoever answers adds it."""
    batch = one_by_one(traces_protobuf, [BAD])
    batch.decoded.keep([], "deleted")
    assert batch.shares == [Share(2, {"trace_id_length": 1})]


def test_nothing_is_a_batch_of_no_rows():
    """Without bodies, and with corrupt ones alone."""
    assert one_by_one(traces_protobuf, []).decoded.rows == 0
    assert one_by_one(traces_protobuf, [b"\xff"]).decoded.rows == 0


def test_tables_stand_before_lists():
    """Keys and owners follow the rows when requests of both kinds are joined."""
    columnar = by_column([GOOD])
    assert columnar is not None
    listed = one_by_one(traces_protobuf, [b"", request(span(span_id=b"listed_1")).SerializeToString()])
    whole = joined([listed.decoded, columnar.decoded, listed.decoded])
    assert (whole.by_column, whole.rows) == (2, 4)
    assert whole.column("span_id") == [key[16:].hex() for key in whole.keys]
    assert [whole.owner(row) for row in range(4)] == [0, 0, 1, 1]


def test_counts_are_added_by_code():
    """Codes of either side stay."""
    assert added([{"a": 1}, {}, {"a": 2, "b": 1}]) == {"a": 3, "b": 1}
