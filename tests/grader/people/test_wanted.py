"""Which outputs are shown to a person."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector import Store, connect
from grader.people import stored
from grader.people.label_file import write
from grader.people.wanted import Unlabelled, of_store, of_suite, output_of, trees_of
from grader.results import extension
from grader.suites import read_suites
from tests.grader.people.stores import fill, label, project
from tests.grader.suites import suite as native

TONE = {"tone": {"type": "human", "check": "tone"}}
JUDGED = {"polite": {"type": "judge", "rubric": "r"}, "short": {"type": "length", "max_words": 9}}


@pytest.fixture
def store() -> Iterator[Store]:
    """Runs of s1, s2 and s3, the last of which answered like the first."""
    with connect(":memory:", extensions=[extension()]) as opened:
        fill(opened, ["done", "no", "done"])
        yield opened


def wanted(found: list[Unlabelled] | Iterator[Unlabelled]) -> list[tuple[str, str | None]]:
    return [(one.ask.sample, one.ask.check) for one in found]


def test_a_suite_wants_what_its_checks_ask_of_people(store: Store, tmp_path: Path) -> None:
    """In the order of the runs, with the case and the suite; `check` leaves one check's alone."""
    (suite,) = read_suites([project(tmp_path, TONE | {"any": {"type": "human"}} | JUDGED)])
    found = of_suite(store, suite, None)
    assert wanted(found) == [(s, c) for s in ("s1", "s2", "s3") for c in ("tone", None)]
    assert (found[0].suite, found[0].case) == ("main", "s1")
    assert wanted(of_suite(store, suite, "tone")) == [("s1", "tone"), ("s2", "tone"), ("s3", "tone")]


def test_a_suite_that_asks_nobody_is_labelled_for_its_judges(store: Store, tmp_path: Path) -> None:
    """By each judge's own name, or by the name that is given; without a judge by none."""
    (suite,) = read_suites([project(tmp_path, JUDGED, samples=1)])
    assert wanted(of_suite(store, suite, None)) == [("s1", "polite")]
    assert wanted(of_suite(store, suite, "kind")) == [("s1", "kind")]
    (plain,) = read_suites([project(tmp_path, {"short": JUDGED["short"]}, samples=1)])
    assert wanted(of_suite(store, plain, None)) == [("s1", None)]


def test_what_has_a_label_is_not_shown_again(store: Store, tmp_path: Path) -> None:
    """Neither where its check looks for labels nor in the store; another output's label is none; `again` shows all."""
    (suite,) = read_suites([project(tmp_path, TONE)])
    stored.append(store, [label("s1", "done", check="tone"), label("s2", "other", check="tone")])
    assert wanted(of_suite(store, suite, None)) == [("s2", "tone"), ("s3", "tone")]
    assert len(of_suite(store, suite, None, again=True)) == 3
    (elsewhere,) = read_suites(
        [project(tmp_path, {"tone": {"type": "human", "check": "tone", "labels": "mine.jsonl"}})]
    )
    write(tmp_path / "mine.jsonl", [label("s2", "no", check="tone")])
    assert wanted(of_suite(store, elsewhere, None)) == [("s3", "tone")]


def test_one_label_is_enough_for_all_runs_of_a_sample_with_the_same_output(store: Store) -> None:
    """A case with many runs is not asked for many times."""
    cases = "  - {name: all, request: hello, match: contains, expect: [{human: tone}]}\n"
    with connect(":memory:", extensions=[extension()]) as unnamed:
        fill(unnamed, ["done", "no", "done"], named=False)
        assert wanted(of_suite(unnamed, native(cases), None)) == [("all", "tone")] * 2


def test_a_store_is_labelled_from_its_newest_run_on(store: Store) -> None:
    """By the case that a run names, else by the run's id."""
    assert wanted(of_store(store, None)) == [("s3", None), ("s2", None), ("s1", None)]
    stored.append(store, [label("s2", "no", check="tone")])
    assert wanted(of_store(store, None)) == [("s3", None), ("s1", None)]
    assert wanted(of_store(store, "kind")) == [("s3", "kind"), ("s2", "kind"), ("s1", "kind")]
    assert len(list(of_store(store, None, again=True))) == 3
    with connect(":memory:", extensions=[extension()]) as unnamed:
        fill(unnamed, ["done"], named=False)
        (one,) = of_store(unnamed, None)
        assert one.ask.sample == one.ask.run == unnamed.sql("SELECT run_id FROM runs")["run_id"][0].as_py()


def test_the_output_that_is_meant_is_found_in_the_run(store: Store) -> None:
    """Or is not, where the run has another one by now."""
    one = next(iter(of_store(store, None)))
    run = trees_of(store, [one.ask.run])[one.ask.run]
    assert output_of(run, one.ask) == "done"
    run.root.reply = "more"
    assert output_of(run, one.ask) is None
    assert trees_of(store, ["gone"]) == {}


def test_labels_of_a_run_count_for_a_suite_that_knows_it_by_a_case(store: Store) -> None:
    """Labelled without a suite under its id, wanted by a case that finds it by its input."""
    with connect(":memory:", extensions=[extension()]) as unnamed:
        fill(unnamed, ["done"], named=False)
        (one,) = of_store(unnamed, "tone")
        stored.append(unnamed, [label(one.ask.sample, "done", check="tone", run_id=one.ask.run)])
        assert of_suite(unnamed, native("  - {name: a, request: hello 1, expect: [{human: tone}]}\n"), None) == []
