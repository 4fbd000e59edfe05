"""Many bodies: by column where that pays, one by one where it must be; told apart by nobody."""

from collections.abc import Callable

import pytest

from collector.decode import together
from collector.decode.batch import Batch, one_by_one
from collector.decode.columnar import reader
from collector.decode.from_protobuf import traces_protobuf
from tests.decode.columnar.compare import rows, told
from tests.decode.samples import request, span

GOOD = request(span(), span(span_id=b"neighbor")).SerializeToString()
LARGE = request(
    *(span(span_id=bytes([1, n]) + b"neighb", attributes={"a": "x" * 9000}) for n in range(100))
).SerializeToString()


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bodies were read by column, each time."""
    seen: list[int] = []
    real: Callable[[list[bytes]], Batch] = reader.read

    def read(bodies: list[bytes]) -> Batch:
        seen.append(len(bodies))
        return real(bodies)

    monkeypatch.setattr(reader, "read", read)
    return seen


def test_few_small_bodies_are_read_one_by_one(looked: list[int]):
    """Reading by column has a price; many bodies and large ones are worth it."""
    together.traces_protobuf_together([GOOD] * 5)
    assert looked == []
    together.traces_protobuf_together([GOOD] * 60)
    together.traces_protobuf_together([LARGE])
    assert looked == [60, 1]


def test_a_corrupt_body_among_many(looked: list[int]):
    """All are read as each by itself would be, and the large ones still by column."""
    bodies = [LARGE, b"\xff", GOOD, LARGE]
    found, expected = together.traces_protobuf_together(bodies), one_by_one(traces_protobuf, bodies)
    assert looked == [4, 1, 1]
    assert list(map(told, found.shares)) == list(map(told, expected.shares))
    assert rows(found.decoded) == rows(expected.decoded)


def test_other_kinds_are_read_one_by_one():
    """JSON and logs give the same form of answer."""
    assert together.traces_json_together([b"{}", b"["]).decoded.rows == 0
    assert together.logs_protobuf_together([b""]).decoded.kind == "logs"
    assert len(together.logs_json_together([b"{}", b"{}"]).shares) == 2
