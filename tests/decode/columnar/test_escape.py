"""Escaping writes what orjson writes."""

import orjson
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from collector.decode.columnar.escape import escaped

_NASTY = st.text(st.sampled_from('\\"\n\t\r\b\f\0\x01\x1f\x7f\u2028é😀a/'))


@given(st.lists(st.text(st.characters(codec="utf-8")) | _NASTY))
@example(["".join(map(chr, range(0x100)))])
@example(["\\", '"', '\\"', '\\\\"\\n'])
def test_the_letters_are_those_of_orjson(held: list[str]):
    """Whatever a column holds, each text is the inside of its JSON string."""
    assert [f'"{text}"' for text in escaped(pa.array(held, pa.string())).to_pylist()] == [
        orjson.dumps(text).decode() for text in held
    ]
