"""What a call costs: by the table, by the author's own, or not known."""

import re
from datetime import date

import pytest

from grader.judge import prices
from grader.judge.judges import DEFAULT_MODEL
from grader.judge.prices import Price, Prices, price, tokens_at_most
from grader.judge.prompting import question, verdict


def test_the_table_is_dated_and_has_the_default() -> None:
    """One file, in dollars per million tokens."""
    assert isinstance(prices._document()["date"], date)
    assert Prices().of(DEFAULT_MODEL) == Price(2.0, 10.0)
    assert Prices().cost(DEFAULT_MODEL, 1_000_000, 100_000) == pytest.approx(3.0)
    assert Prices().cost(DEFAULT_MODEL, 1_000_000, 100_000, batch=True) == pytest.approx(1.5)


def test_a_long_prompt_may_have_a_price_of_its_own() -> None:
    """Of all its tokens."""
    assert Prices().cost("claude-haiku-5-5", 100_000, 0) == pytest.approx(0.01)
    assert Prices().cost("claude-haiku-5-5", 200_000, 0) == pytest.approx(0.1)


def test_a_name_with_a_date_is_that_of_its_model() -> None:
    """Unless it is priced itself."""
    assert Prices().of("claude-haiku-4-5-20251001") == Prices().of("claude-haiku-4-5")
    own = Prices({"claude-haiku-4-5-20251001": Price(9, 9)})
    assert own.of("claude-haiku-4-5-20251001") == Price(9, 9)


def test_the_author_s_price_comes_first() -> None:
    """Also of models that the table has."""
    assert Prices({DEFAULT_MODEL: Price(1, 1)}).of(DEFAULT_MODEL) == Price(1, 1)


def test_what_is_not_known_is_none() -> None:
    """Never 0: neither without a price nor without a count."""
    assert Prices().cost("nobody", 1, 1) is None
    assert Prices().cost(DEFAULT_MODEL, None, 1) is None
    assert Prices().cost(DEFAULT_MODEL, 1, None) is None


@pytest.mark.parametrize(
    "raw",
    [None, 5, {}, {"input": 1}, {"input": -1, "output": 1}, {"input": "1", "output": 1}, {"input": True, "output": 1}],
)
def test_a_price_that_is_none_is_told(raw: object) -> None:
    """In words for the author."""
    with pytest.raises(ValueError, match=r"input|output"):
        price(raw)


def test_the_tokens_of_a_question_are_bounded_from_above() -> None:
    """Words, digits and other scripts have at most a token for two bytes, with the schema's own on top."""
    text = "Your refund of 50 dollars arrives soon. Ваш возврат. 返金。" * 20
    asked = question(
        "criterion", verdict(met={"type": "boolean"}), {"criterion": "c", "request": "q", "reply": text}, "m"
    )
    words = len(re.findall(r"\w+|[^\w\s]", asked.prompt + asked.system + asked.schema))
    assert words < tokens_at_most(asked) < 10 * words
