"""Labels in the store."""

from collections.abc import Iterator

import pytest

from collector import Store, connect
from grader.people import stored
from grader.results import extension
from tests.grader.people.stores import label
from tests.grader.people.test_label import FULL
from tests.grader.spans import Trace


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store."""
    with connect(":memory:", extensions=[extension()]) as opened:
        yield opened


def test_labels_come_back_in_the_order_of_their_rows(store: Store) -> None:
    """Also those of one append, and whatever time they say that they were made at."""
    labels = [FULL, label("s", "b", created_at=5_000), label("t", "c", run_id="q")]
    stored.append(store, labels[:1])
    stored.append(store, labels[1:])
    stored.append(store, [])
    assert stored.every(store) == labels
    assert stored.about(store, ["s"], []) == labels[:2]
    assert stored.about(store, [], ["q", "r"]) == [FULL, labels[2]]
    assert stored.about(store, [], []) == []


def test_the_names_of_checks_are_counted(store: Store) -> None:
    """Those of none by name, too."""
    assert stored.names(store) == {}
    stored.append(store, [FULL, label("s", "a"), label("t", "a")])
    assert stored.names(store) == {"": 2, "tone": 1}


def test_the_audit_table_counts_them_and_says_nothing_of_them(store: Store) -> None:
    """Each append is one row of it (X-34)."""
    stored.append(store, [FULL, label("s", "a")])
    (row,) = store.query("audit", most=10).drop_columns(["at"]).to_pylist()
    assert {name: value for name, value in row.items() if value is not None} == {
        "who": "local",
        "what": "label",
        "outcome": "done",
        "row_count": 2,
    }


def test_they_can_be_asked_in_sql(store: Store) -> None:
    """In the view `labels`."""
    stored.append(store, [FULL])
    (row,) = store.sql("SELECT * EXCLUDE (created_at, recorded_at) FROM labels").to_pylist()
    assert (row["check_name"], row["value"], row["passed"], row["raw"]) == ("tone", 0.75, True, "4/5")


def test_a_label_of_a_run_that_a_later_join_absorbed_is_one_of_the_run_that_holds_it(store: Store) -> None:
    """The child's trace came first and was labelled; then its parent's came, and the child's id became an alias."""
    from collector.decode import traces_protobuf

    parent, child = Trace(1), Trace(2)
    parent.agent(1, "boss")
    child.agent(1, "worker", link=(parent, 1), extra={"tracegrade.job.parent.id": "boss-1"})
    parent.scope.spans[0].attributes.add(key="tracegrade.job.id").value.string_value = "boss-1"
    store.ingest(traces_protobuf(child.body())).result()  # ty: ignore
    store.settle()
    (first,) = store.sql("SELECT run_id FROM runs").column("run_id").to_pylist()
    stored.append(store, [label(first, "done", run_id=first)])
    store.ingest(traces_protobuf(parent.body())).result()  # ty: ignore
    store.settle()
    (now,) = store.sql("SELECT run_id FROM runs").column("run_id").to_pylist()
    assert now != first
    (found,) = stored.about(store, [], [now])
    assert (found.sample_id, found.run_id) == (first, now)
