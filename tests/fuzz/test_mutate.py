"""Spoiling: it is repeatable, it starts from what is valid, and it spoils."""

import gzip
import zlib
from random import Random

from collector.decode import DecodeError, traces_json, traces_protobuf
from tests.fuzz.guided import input_of, read
from tests.fuzz.mutate import Body, mutated, rich, seeds


def test_the_valid_bodies_are_valid() -> None:
    """Nothing of the rich request is refused in either form."""
    raw = rich().SerializeToString()
    assert (traces_protobuf(raw).rejected, traces_protobuf(raw).rows) == ({}, 2)
    assert traces_json(seeds()[1].raw).rejected == {}


def test_a_seed_makes_the_same_body_again() -> None:
    """What was found by a number is found by it again."""
    assert mutated(Random("7-1")) == mutated(Random("7-1"))
    assert len({mutated(Random(f"7-{number}")) for number in range(200)}) > 150


def test_a_good_part_of_the_bodies_is_still_read() -> None:
    """Spoiling that only ever broke the first byte would test nothing behind it."""
    read_whole = spoilt = 0
    for number in range(300):
        body = mutated(Random(f"9-{number}"))
        if (body.signal, body.form) != ("traces", "protobuf"):
            continue
        try:
            found = traces_protobuf(gzip.decompress(body.raw) if body.gzipped else body.raw)
        except (DecodeError, OSError, EOFError, zlib.error):
            spoilt += 1
        else:
            read_whole += found.rows > 0
    assert read_whole > 15
    assert spoilt > 5


def test_the_guided_fuzzer_takes_what_was_spoilt() -> None:
    """Its reader refuses in its own words, or gives columns of one length."""
    for number in range(150):
        read(input_of(mutated(Random(f"3-{number}"))))
    read(b"")
    read(input_of(Body("traces", "protobuf", gzip.compress(rich().SerializeToString()), gzipped=True)))
