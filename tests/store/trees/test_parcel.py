"""What goes to the worker and back."""

import pickle

import pyarrow as pa

from collector.store.trees.parcel import Parcel
from tests.store import fake_trees


def test_trees_come_out_as_they_went_in():
    """All that was built crosses to another process."""
    columns = {"trace_id": ["a", "b"], "name": ["agent", "agent"], "resource": ["{}", "{}"]}
    built = fake_trees.build(pa.table(columns | {"links": ["[]", '[{"trace_id":"a"}]']}), pa.table({}))
    opened = pickle.loads(pickle.dumps(Parcel.of(built))).open()
    assert opened.tables == built.tables
    assert (opened.references, opened.spoke, opened.versions) == (built.references, built.spoke, built.versions)
    assert opened.references.num_rows == 1
