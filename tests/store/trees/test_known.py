"""What the store may hold: certain when it says no."""

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.answer.local import LocalStore
from collector.store.trees.builder import Here
from collector.store.trees.known import Known
from collector.store.writing.lookup import filled
from collector.store.writing.seen import Seen
from tests.store import fake_trees
from tests.store.trees.test_settle import CHILD, PARENT, deliver, link

IDS = st.lists(st.sampled_from("abcdef"), unique=True, max_size=4)
ROLES = st.sampled_from(["offers", "wants"])
REFERENCES = st.lists(st.tuples(st.sampled_from("abcdef"), st.just("job"), st.sampled_from("xyz"), ROLES), max_size=6)


def told(*references: tuple[str, str, str, str]) -> pa.Table:
    """A table of references."""
    names = ("trace_id", "kind", "key", "role")
    return pa.table({n: pa.array([row[i] for row in references], pa.string()) for i, n in enumerate(names)})


@given(traces=IDS, runs=IDS)
def test_what_was_noted_is_never_missed(traces: list[str], runs: list[str]):
    """Traces and runs that were appended are among those that the store is asked for."""
    known = Known(Seen)
    known.note({"canonical.builds": pa.table({"trace_id": traces}), "canonical.runs": pa.table({"run_id": runs})})
    assert known.built(list("abcdef")) == sorted(traces)
    assert known.runs(list("abcdef")) == sorted(runs)


@settings(max_examples=50, deadline=None)
@given(stored=REFERENCES, fresh=REFERENCES)
def test_a_connection_is_never_missed(stored: list[tuple[str, str, str, str]], fresh: list[tuple[str, str, str, str]]):
    """Where a stored reference offers what a fresh one wants, or the reverse, the store is asked."""
    known = Known(Seen)
    known.note({"canonical.references": told(*stored)})
    meets = any(kind == k and key == q and role != r for _, k, q, r in stored for _, kind, key, role in fresh)
    assert known.may_connect({"new"}, told(*fresh)) == meets


def test_links_connect_in_both_directions():
    """A trace that links to another one, and one that is linked to, may be connected; one that was built before, too."""
    known = Known(Seen)
    known.note({"canonical.references": told(("a", "link", "b", "wants"))})
    known.tried(["d"])
    assert known.may_connect({"b"}, None)
    assert known.may_connect({"c"}, told(("c", "link", "a", "wants")))
    assert known.may_connect({"d"}, None)
    assert not known.may_connect({"c"}, told(("c", "link", "c", "wants")))
    assert not known.may_connect({"a"}, None)


def test_what_is_stored_is_known_after_opening():
    """The filter that is filled from a store says of it what was noted while it was written."""
    with LocalStore(":memory:", builder=Here(fake_trees.build)) as store:
        deliver(store, 1, 1)
        deliver(store, 2, 1, links=link(f"{9:032x}"))
        store.settle()
        known = Known(lambda: filled(store.database.cursor(), "settle/known"))
        assert known.built([CHILD, PARENT, f"{9:032x}"]) == [PARENT, CHILD]
        assert known.runs([f"run-{CHILD}", f"run-{PARENT}", PARENT]) == [f"run-{PARENT}", f"run-{CHILD}"]
        assert known.may_connect({f"{9:032x}"}, None)
        assert not known.may_connect({f"{8:032x}"}, None)
