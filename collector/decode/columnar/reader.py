"""The spans of many requests in one table; those that need care are read one by one and stand behind it."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np
from google.protobuf.message import DecodeError as ProtobufError

from collector.decode.batch import Batch, Share, added, joined
from collector.decode.beside import warn
from collector.decode.columnar import groups, lean
from collector.decode.columnar.attributes import Nested
from collector.decode.columnar.buffers import flags
from collector.decode.columnar.spans import Spans
from collector.decode.decoded import Decoded, Rejected, count
from collector.decode.from_protobuf import add_span
from collector.decode.protobuf_values import Attributes
from collector.decode.rows import LARGEST
from collector.decode.shadow import SpanMessage
from collector.decode.spans import SpanRows


class Declined(Exception):  # noqa: N818 -- an outcome: the bodies are to be read one by one
    """A body is corrupt, or would take too much memory: which one, and why, is found by reading each by itself."""


def read(bodies: Sequence[bytes]) -> Batch:
    """All spans of these bodies (ExportTraceServiceRequest), as reading each by itself would give them. Raises Declined."""
    try:
        held = groups.read(list(bodies))
        return _read(len(bodies), held)
    except (ValueError, ProtobufError):  # ptars' errors are ValueErrors, and so are Arrow's and DecodeError
        raise Declined from None


def _read(bodies: int, held: groups.Groups) -> Batch:
    raw, nested = lean.spans(held.spans), Nested()
    group = held.at[held.place]
    spans = Spans(raw, group, held, nested)
    owners = held.owner[held.place].astype(np.int32)
    odd = np.flatnonzero(spans.odd)
    if len(odd):
        left = ~spans.odd
        spans = Spans(raw.filter(flags(left)), group[left], held, nested)
    else:
        left = slice(None)
    if spans.expected > LARGEST:
        raise Declined
    table, size = spans.table()
    whole = Decoded("spans", {}, table.num_rows, size, spans.keys(), table=table, owners=owners[left])
    shares = [Share(delivered) for delivered in np.bincount(owners, minlength=bodies).tolist()]
    _warn(held, shares)
    parts = [whole]
    for owner, rows in groupby(odd.tolist(), owners.__getitem__):
        part = _with_care(held, rows)
        part.owners = np.full(part.rows, owner, np.int32)
        shares[owner].rejected = part.rejected
        shares[owner].warnings = added((shares[owner].warnings, part.warnings))
        parts.append(part)
    whole = joined(parts)
    whole.rejected = added(share.rejected for share in shares)
    whole.warnings = added(share.warnings for share in shares)
    return Batch(whole, list(shares))


def _warn(held: groups.Groups, shares: Sequence[Share]) -> None:
    """What concerns no span: groups without any, and spans in the form of OTLP 0.14 (C-14)."""
    for place in np.flatnonzero(np.bincount(held.place, minlength=len(held.at)) == 0).tolist():
        warn(held.groups[held.at[place]].notes, shares[held.owner[place]].warnings)  # else, those who read its spans do
    for owner in np.flatnonzero(held.old).tolist():
        count(shares[owner].warnings, "instrumentation_library_spans", int(held.old[owner]))


def _with_care(held: groups.Groups, rows: Iterable[int]) -> Decoded:
    """Some spans of one body, one by one."""
    found = SpanRows()
    attributes = Attributes(found.notes)
    for place, members in groupby(rows, held.place.__getitem__):
        group = held.groups[held.at[place]]
        found.open(group)
        for row in members:
            try:
                add_span(found, attributes, group, SpanMessage.FromString(held.spans[row].as_py()))
            except Rejected as reason:
                found.reject(reason)
    return found.finish()
