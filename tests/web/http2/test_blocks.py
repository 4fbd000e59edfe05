"""Header blocks, without sockets."""

from contextlib import suppress

import pytest
from hpack import Decoder, Encoder
from hypothesis import given
from hypothesis import strategies as st

from collector.web.http2.blocks import _REMEMBERED, BlockReader, Pairs, encoded
from collector.web.http2.frames import Code, ConnectionFault

TEXTS = st.text(st.characters(min_codepoint=0, max_codepoint=255), max_size=300)


class Reading:
    """A reader, and how often it had to look."""

    def __init__(self, largest: int = 64 << 10) -> None:
        self.looked = 0
        self.reader = BlockReader(self._meaning, largest)

    def _meaning(self, pairs: Pairs) -> tuple[tuple[bytes, bytes], ...]:
        self.looked += 1
        return tuple(pairs)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=8))
def test_any_decoder_reads_our_blocks(pairs: list[tuple[str, str]]) -> None:
    """Whatever the texts, the library reads what we wrote; and its table stays empty."""
    decoder = Decoder(1 << 20)
    read = [
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in decoder.decode(encoded(pairs), raw=True)
    ]
    assert read == pairs
    assert not decoder.header_table.dynamic_entries


def test_the_same_bytes_are_looked_at_once() -> None:
    """An exporter's second request inserts nothing any more, and from then on its block is remembered."""
    encoder, reading = Encoder(), Reading()
    pairs = [(":method", "POST"), (":path", "/a"), ("authorization", "Bearer x")]
    blocks = [encoder.encode(pairs) for _ in range(5)]
    assert [reading.reader.read(block) for block in blocks] == [tuple((n.encode(), v.encode()) for n, v in pairs)] * 5
    assert reading.looked == 2


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4), max_size=30))
def test_what_is_remembered_is_what_would_be_read(requests: list[list[str]]) -> None:
    """With any sequence of requests each one means what it says, though indexes shift under them."""
    encoder, reading = Encoder(), Reading()
    encoder.header_table_size = 100  # so that entries are pushed out
    for number, names in enumerate(requests):
        pairs = [(name, str(number % 3)) for name in names]
        assert [(n.decode(), v.decode()) for n, v in reading.reader.read(encoder.encode(pairs))] == pairs


def test_little_is_remembered() -> None:
    """A peer whose blocks are all different fills no memory."""
    reading = Reading()
    for number in range(10 * _REMEMBERED):
        reading.reader.read(encoded([("a", str(number))]))
    assert len(reading.reader._known) <= _REMEMBERED


def test_a_bomb_is_not_unpacked() -> None:
    """A list beyond the limit is not read to its end (RFC 9113, 10.5.1)."""
    reading = Reading(largest=10_000)
    with pytest.raises(ConnectionFault) as caught:
        reading.reader.read(b"\x40" + encoded([("a", "x" * 4000)])[1:] + b"\xbe" * 50_000)
    assert caught.value.code == Code.ENHANCE_YOUR_CALM
    assert reading.looked == 0


@given(st.binary(max_size=60))
def test_any_bytes_are_a_list_or_a_fault(block: bytes) -> None:
    """Nothing else is raised."""
    with suppress(ConnectionFault):
        Reading().reader.read(block)
