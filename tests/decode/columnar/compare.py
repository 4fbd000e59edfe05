"""What reading by column gives, beside what reading one by one gives."""

from collections.abc import Sequence
from typing import Any

from collector.decode import DecodeError, traces_protobuf
from collector.decode.batch import Batch, Share, one_by_one
from collector.decode.columnar import reader
from collector.decode.columns import SPANS, as_lists
from collector.decode.decoded import Decoded


def rows(decoded: Decoded) -> list[tuple[Any, ...]]:
    """All rows with their owners and keys, in an order of their own."""
    table = {} if decoded.table is None else as_lists(decoded.table)
    whole = [table.get(name, []) + decoded.columns.get(name, []) for name in SPANS]
    owners = [decoded.owner(row) for row in range(decoded.rows)]
    return sorted(zip(owners, decoded.keys, *whole, strict=True), key=repr)


def told(share: Share | DecodeError) -> Any:
    """What a request is told."""
    if isinstance(share, DecodeError):
        return str(share)
    return share.delivered, dict(share.rejected), dict(share.warnings)


def by_column(bodies: Sequence[bytes]) -> Batch | None:
    """Read by column; None where that is declined."""
    try:
        return reader.read(bodies)
    except reader.Declined:
        return None


def assert_same(bodies: Sequence[bytes]) -> bool:
    """Both give the same. Tells whether the bodies were read by column at all."""
    found, expected = by_column(bodies), one_by_one(traces_protobuf, bodies)
    if found is None:
        return False
    assert [told(share) for share in found.shares] == [told(share) for share in expected.shares]
    assert rows(found.decoded) == rows(expected.decoded)
    one, other = found.decoded, expected.decoded
    assert (one.size, one.rejected, one.warnings) == (other.size, other.rejected, other.warnings)
    return True
