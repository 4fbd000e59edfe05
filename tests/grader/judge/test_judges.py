"""Many questions at once, against a real server: known verdicts, caps, outages, and how many are in flight."""

import json
import threading
from collections.abc import Iterator

import pytest

from collector import Store, UserError, connect
from grader.asking import Question
from grader.judge.client import Client
from grader.judge.judges import OUTAGE, Judges, Limits
from grader.judge.prices import Price, Prices
from grader.judge.prompting import question, verdict
from grader.judge.tally import Tally
from grader.judge.verdicts import Verdicts
from grader.results import extension
from tests.grader.judge.api import Api, Said

MODEL = "claude-sonnet-5-5"
PRICES = Prices()


def questions(number: int, model: str = MODEL) -> dict[str, Question]:
    schema = verdict(met={"type": "boolean"})
    made = [
        question("criterion", schema, {"criterion": "c", "request": "q", "reply": f"reply {n}"}, model, 64)
        for n in range(number)
    ]
    return {q.key: q for q in made}


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store with the grader's tables."""
    with connect(":memory:", extensions=[extension()]) as opened:
        yield opened


def patient() -> Client:
    return Client(retries=0, seconds=20)


def test_every_question_has_its_own_answer(api: Api) -> None:
    """Whatever order they come in, and no more in flight than allowed."""
    api.says = lambda asked, n: Said(
        json.dumps({"reasoning": asked["messages"][0]["content"][-200:], "met": True}), seconds=0.02 * (n % 3)
    )
    asked = questions(20)
    judges = Judges(patient, limits=Limits(at_once=4))
    found = judges.answers(asked, PRICES)
    assert found.keys() == asked.keys()
    for key, one in asked.items():
        assert found[key].value["reasoning"] == one.prompt[-200:]
        assert found[key].cost_usd == pytest.approx((100 * 2 + 20 * 10) / 1_000_000)
    assert 1 < api.most_flying <= 4
    assert (judges.tally.calls, judges.tally.cached, judges.tally.failed) == (20, 0, 0)
    assert judges.tally.usd == pytest.approx(20 * 0.0004)


def test_a_verdict_is_paid_for_once(api: Api, store: Store) -> None:
    """The second time all are known, and cost nothing; one question more is one call."""
    first = Judges(patient, Verdicts(store)).answers(questions(5), PRICES)
    judges = Judges(patient, Verdicts(store))
    again = judges.answers(questions(6), PRICES)
    assert len(api.requests) == 6
    assert [again[k].value for k in first] == [a.value for a in first.values()]
    assert all(again[k].cached and again[k].cost_usd == 0 for k in first)
    assert (judges.tally.calls, judges.tally.cached) == (1, 5)


def test_no_cache_and_refresh(api: Api, store: Store) -> None:
    """Without a cache nothing is kept; refreshed verdicts are kept, and the newest counts."""
    asked = questions(1)
    Judges(patient).answers(asked, PRICES)
    assert store.sql("SELECT count(*) AS n FROM judge_verdicts").to_pylist() == [{"n": 0}]
    Judges(patient, Verdicts(store)).answers(asked, PRICES)
    api.says = lambda _asked, _n: Said('{"reasoning": "anew", "met": false}')
    Judges(patient, Verdicts(store), refresh=True).answers(asked, PRICES)
    (answer,) = Judges(patient, Verdicts(store)).answers(asked, PRICES).values()
    assert (answer.value["met"], answer.cached, len(api.requests)) == (False, True, 3)


def test_errors_are_not_kept(api: Api, store: Store) -> None:
    """They are asked again the next time."""
    api.says = lambda _asked, n: Said("prose") if n == 1 else Said('{"reasoning": "r", "met": true}')
    asked = questions(1)
    outcomes = [Judges(patient, Verdicts(store)).answers(asked, PRICES) for _ in range(2)]
    assert [[bool(a.error) for a in found.values()] for found in outcomes] == [[True], [False]]


def test_another_model_is_another_question(api: Api, store: Store) -> None:
    """A verdict of one is none of the other."""
    Judges(patient, Verdicts(store)).answers(questions(1), PRICES)
    Judges(patient, Verdicts(store)).answers(questions(1, "claude-opus-5-5"), PRICES)
    assert [r["model"] for r in api.requests] == [MODEL, "claude-opus-5-5"]


def test_a_cap_on_calls(api: Api) -> None:
    """The rest is not asked, and says why."""
    judges = Judges(patient, limits=Limits(calls=3))
    found = judges.answers(questions(5), PRICES)
    assert len(api.requests) == 3
    assert [a.error for a in found.values() if a.error] == [
        "the cap of 3 judge calls is reached (--max-judge-calls)"
    ] * 2
    assert (judges.capped, judges.tally.not_asked) == (True, 2)
    assert all(a.error for a in judges.answers(questions(7), PRICES).values())
    assert len(api.requests) == 3


def test_a_cap_on_dollars_is_never_passed(api: Api) -> None:
    """What is in flight counts with the most that it can cost."""
    price = Prices({MODEL: Price(10, 100)})
    asked = questions(30)
    most = max(price.at_most(q) or 0 for q in asked.values())
    cap = most * 4.5
    api.says = lambda _asked, _n: Said('{"reasoning": "r", "met": true}', tokens=(900, 64))
    judges = Judges(patient, limits=Limits(usd=cap))
    found = judges.answers(asked, price)
    assert judges.tally.usd is not None
    assert 0 < judges.tally.usd <= cap
    assert judges.capped
    assert len([a for a in found.values() if not a.error]) == len(api.requests) < 30
    assert "the cap of $" in next(a.error for a in found.values() if a.error)


def test_a_cap_on_dollars_needs_a_price(api: Api) -> None:
    """Nobody is asked, and the message says what to write."""
    with pytest.raises(UserError, match=r"price of nobody-1 is not known.*prices"):
        Judges(patient, limits=Limits(usd=1)).answers(questions(1, "nobody-1"), PRICES)
    assert api.requests == []


def test_an_unknown_price_is_no_price_of_zero(api: Api) -> None:
    """The cost of one is not known, nor is the sum."""
    judges = Judges(patient)
    (answer,) = judges.answers(questions(1, "nobody-1"), PRICES).values()
    assert (answer.value["met"], answer.cost_usd) == (True, None)
    assert (judges.tally.usd, judges.tally.unpriced) == (None, {"nobody-1"})


def test_an_outage_ends_the_asking(api: Api) -> None:
    """After some questions in a row without an answer nobody else is asked, and none passes."""
    api.says = lambda _asked, _n: Said(status=529)
    judges = Judges(patient, limits=Limits(at_once=2))
    found = judges.answers(questions(40), PRICES)
    assert all(a.error and a.value is None for a in found.values())
    assert OUTAGE <= len(api.requests) <= OUTAGE + 2
    assert judges.stopped == f"the judge's server said HTTP 529, {OUTAGE} times in a row"
    assert not judges.capped


def test_a_refused_key_ends_the_asking(api: Api) -> None:
    """The first refusal is enough."""
    api.says = lambda _asked, _n: Said(status=401)
    judges = Judges(patient, limits=Limits(at_once=1))
    found = judges.answers(questions(10), PRICES)
    assert len(api.requests) == 1
    assert {a.error for a in found.values()} == {"the key was refused: check ANTHROPIC_API_KEY"}


def test_a_dry_run_asks_nobody(api: Api, store: Store) -> None:
    """It counts what is not known yet, with the most that it can cost."""
    Judges(patient, Verdicts(store)).answers(questions(2), PRICES)
    judges = Judges(patient, Verdicts(store), dry_run=True)
    found = judges.answers(questions(5), PRICES)
    assert len(api.requests) == 2
    assert (judges.tally.calls, judges.tally.cached) == (3, 2)
    assert judges.tally.output_tokens == 3 * 64
    assert judges.tally.usd == pytest.approx((judges.tally.input_tokens * 2 + 3 * 64 * 10) / 1_000_000)
    assert sum(a.error == "not asked in a dry run" for a in found.values()) == 3


def test_verdicts_are_kept_as_they_come(api: Api, store: Store) -> None:
    """Before all have answered: whoever is killed meanwhile repeats only what was in flight."""
    kept: list[int] = []
    release = threading.Event()

    def says(_asked: object, n: int) -> Said:
        if n == 5:
            release.wait(20)
        return Said('{"reasoning": "r", "met": true}')

    def tell(_tally: Tally, done: int, _wanted: int) -> None:
        kept.append(store.sql("SELECT count(*) AS n FROM judge_verdicts").to_pylist()[0]["n"])
        if done == 4:
            release.set()

    api.says = says
    Judges(patient, Verdicts(store), Limits(at_once=2), tell=tell).answers(questions(5), PRICES)
    assert kept[-1] == 5
    assert 4 in kept
