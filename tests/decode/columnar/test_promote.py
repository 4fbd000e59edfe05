"""Promoted columns of many spans, against those of spans one by one."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from collector.decode.columnar import groups, lean
from collector.decode.columnar.attributes import Attributes
from collector.decode.columnar.promote import promoted
from collector.decode.promoted import PROMOTED, Promoter, resource_defaults
from tests.decode.samples import request, span

NAMES = [name for _, names in PROMOTED.values() for name in names]
VALUES = st.sampled_from(["x", "", 7, -1, 2**53 + 1, True, 1.5, 7.0, 1e300, ["x"], None])
RESOURCE = {"test.case.name": "from the resource", "tracegrade.batch": ["no text"]}


@given(st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6), min_size=1, max_size=5), st.booleans())
def test_each_column_is_what_a_span_by_itself_has(spans: list[dict[str, Any]], with_defaults: bool):
    """Names in their order of precedence, kinds of values, and what the resource gives where the span has nothing."""
    resource = RESOURCE if with_defaults else {}
    one_by_one = Promoter()
    for each in spans:
        one_by_one.add(each)
    expected = one_by_one.columns([(resource_defaults(resource), len(spans))])
    held = groups.read(
        [request(*(span(attributes=each) for each in spans), resource=resource or None).SerializeToString()]
    )
    attributes = Attributes(lean.spans(held.spans).column("attributes"), {})
    found = promoted(attributes, len(spans), held.groups, np.zeros(len(spans), np.int64))
    assert {name: column.to_pylist() for name, column in found.items()} == expected
