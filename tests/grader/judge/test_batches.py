"""Questions in batches, against a real server: half the price, and what was sent is fetched and not paid again."""

from collections.abc import Iterator

import pytest

from collector import Store, connect
from grader.judge.batches import Batches
from grader.judge.judges import Judges, Limits
from grader.judge.prices import Prices
from grader.judge.verdicts import Verdicts
from grader.results import extension
from tests.grader.judge.api import Api, Said, verdict_for
from tests.grader.judge.test_judges import MODEL, PRICES, patient, questions


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store with the grader's tables."""
    with connect(":memory:", extensions=[extension()]) as opened:
        yield opened


class Killed(BaseException):
    """As if the process were ended."""


def judges(store: Store, *, killed: bool = False, limits: Limits | None = None) -> Judges:
    def sleep(_seconds: float) -> None:
        if killed:
            raise Killed

    return Judges(patient, Verdicts(store), limits, batches=Batches(store, 0.0, sleep))


def test_all_questions_go_in_one_batch_at_half_the_price(api: Api, store: Store) -> None:
    """Each answer finds its question, in whatever order they come."""
    api.polls_until_ended = 3
    asked = questions(5)
    one = judges(store)
    found = one.answers(asked, PRICES)
    assert found.keys() == asked.keys()
    assert all(a.value["met"] for a in found.values())
    assert {a.cost_usd for a in found.values()} == {(100 * 2 + 20 * 10) / 1_000_000 / 2}
    assert [len(b) for b in api.batches.values()] == [5]
    assert {r["custom_id"] for r in api.batches["msgbatch_1"]} == set(asked)
    assert api.requests == []
    assert api.polls >= 3
    assert all(a.cached for a in judges(store).answers(asked, PRICES).values())


def test_a_grading_that_was_ended_fetches_what_it_sent(api: Api, store: Store) -> None:
    """No second batch is sent for what is under way; what is new is."""
    api.polls_until_ended = 2
    asked = questions(3)
    with pytest.raises(Killed):
        judges(store, killed=True).answers(asked, PRICES)
    found = judges(store).answers(questions(4), PRICES)
    assert [len(b) for b in api.batches.values()] == [3, 1]
    assert all(a.value["met"] for a in found.values())
    assert store.query("open_batches").num_rows == 0


def test_what_the_batch_could_not_answer_is_an_error(api: Api, store: Store) -> None:
    """It is asked again the next time."""
    api.says = lambda asked, n: Said(status=500) if n == 2 else verdict_for(asked)
    found = judges(store).answers(questions(3), PRICES)
    assert sorted(a.error for a in found.values()) == ["", "", "the batch's request errored"]
    api.says = lambda asked, _n: verdict_for(asked)
    again = judges(store).answers(questions(3), PRICES)
    assert [len(b) for b in api.batches.values()] == [3, 1]
    assert all(a.value["met"] for a in again.values())


def test_caps_are_kept_before_anything_is_sent(api: Api, store: Store) -> None:
    """By the most that the batch can cost."""
    asked = questions(4)
    found = judges(store, limits=Limits(calls=1)).answers(asked, PRICES)
    assert [len(b) for b in api.batches.values()] == [1]
    assert sum("cap of 1 judge calls" in a.error for a in found.values()) == 3
    most = max(Prices().at_most(q, batch=True) or 0 for q in questions(9).values())
    judges(store, limits=Limits(usd=most * 2.5)).answers(questions(9), PRICES)
    assert len(api.batches["msgbatch_2"]) == 2
    assert api.batches["msgbatch_2"][0]["params"]["model"] == MODEL
