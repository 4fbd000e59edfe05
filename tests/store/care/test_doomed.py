"""Which traces go: whole runs, by their newest evidence."""

from hypothesis import given
from hypothesis import strategies as st

from collector.store.care.doomed import Doomed, Held, aged, surplus

A, B, C, D = (Held(name, newest, newest, 10) for name, newest in (("a", 1), ("b", 5), ("c", 2), ("d", 9)))
NEWEST = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 20))
MEMBERS = st.lists(st.tuples(st.sampled_from("rst"), st.sampled_from("abcdefgh")), max_size=12)


def test_a_run_across_the_border_is_kept_whole():
    """What one run rests on stays while any of it is young; others go."""
    assert aged([A, B, C], [("r", "a"), ("r", "b")], before=4) == {"c"}


def test_runs_that_share_a_trace_stand_together():
    """Two runs over one trace are kept or taken out as one."""
    assert aged([A, B, C], [("r", "a"), ("r", "c"), ("s", "c"), ("s", "b")], before=4) == frozenset()


def test_a_trace_without_a_run_goes_by_itself():
    """Evidence of which no tree was made is old, too."""
    assert aged([A, B], [], before=4) == {"a"}


def test_the_oldest_go_until_it_is_enough():
    """By their newest evidence, and not more than the share asks for."""
    traces, upto = surplus([D, A, B, C], [], share=0.5)
    assert (traces, upto) == ({"a", "c"}, 2)
    assert surplus([A, B], [], share=0.0) == (frozenset(), 0)


@given(NEWEST, MEMBERS, st.integers(0, 20))
def test_no_run_is_ever_torn(newest: dict[str, int], members: list[tuple[str, str]], before: int):
    """However runs and traces overlap: all traces of a run go, or none, and none that is young."""
    held = [Held(trace, at, at, 1) for trace, at in newest.items()]
    for gone in (aged(held, members, before), surplus(held, members, before / 20)[0]):
        for run in "rst":
            of_run = {trace for r, trace in members if r == run and trace in newest}
            assert not of_run & gone or of_run <= gone
    assert all(newest[trace] < before for trace in aged(held, members, before))


def test_nothing_doomed_is_false():
    """Whether there is anything to take out."""
    assert not Doomed()
    assert Doomed(traces=frozenset("a"))
    assert Doomed(upto=3)
