"""Reading one attribute's value."""

import json
import math
from functools import lru_cache
from typing import Any

import orjson
import pytest

from collector import normalize
from collector.normalize import values
from collector.normalize.values import Value
from tests import captures


@pytest.mark.parametrize("raw", ["1", "true", "null", "-3.5", "yes", "[see below]", '"quoted" words', "[", ""])
def test_plain_words_stay_words(raw: str) -> None:
    """A bare number, `true`, `null` or prose that merely begins like JSON is what somebody wrote."""
    assert values.content(raw) == Value(raw)


@pytest.mark.parametrize(
    "raw",
    [{"a": [1]}, '{"a": [1]}', ' {"a":[1]}', '"{\\"a\\": [1]}"', json.dumps(json.dumps({"a": [1]}))],
)
def test_content_is_the_same_in_every_encoding(raw: Any) -> None:
    """An object, its JSON text and JSON text within JSON text are one value."""
    assert values.content(raw) == Value({"a": [1]})


@pytest.mark.parametrize("raw", ['{"a": 1', '{"a": "x', "[1, 2", '[{"a"'])
def test_cut_off_json_is_malformed_and_keeps_its_text(raw: str) -> None:
    """JSON that ends too early is never an empty object, and its own text is kept."""
    assert values.content(raw) == Value(raw, "malformed", "unreadable_json")
    assert values.arguments(raw) == Value(raw, "malformed", "unreadable_json")


@pytest.mark.parametrize("raw", sorted(values.REDACTED))
def test_redacted_is_there_and_unreadable(raw: str) -> None:
    """What stands in for hidden content is nobody's words."""
    assert values.content(raw) == values.text(raw) == Value(None, "malformed", "redacted")


@pytest.mark.parametrize("mark", values.TRUNCATED)
def test_a_mark_of_truncation_makes_it_malformed(mark: str) -> None:
    """Content that its instrumentation cut says so, JSON or not."""
    cut = f"It was a dark and{mark}]"
    assert values.content(cut) == Value(cut, "malformed", "truncated")


def test_nothing_is_nothing() -> None:
    """Every reader answers None where there was nothing."""
    readers = (values.text, values.name, values.number, values.count, values.content, values.result, values.names)
    assert [read(None) for read in readers] == [None] * len(readers)


@pytest.mark.parametrize("raw", ["", "  ", {}, "{}"])
def test_no_arguments_is_an_empty_object(raw: Any) -> None:
    """Empty text in place of arguments is how a call without any is written."""
    assert values.arguments(raw) == Value({})


@pytest.mark.parametrize("raw", ["A-1234", "[1]", [1], 5, True])
def test_arguments_without_names_are_malformed(raw: Any) -> None:
    """Arguments that are no object cannot be compared by name."""
    seen = values.arguments(raw)
    assert seen is not None
    assert seen[1:] == ("malformed", "argument_names_lost")


@pytest.mark.parametrize(
    ("raw", "value"),
    [("0", "0"), ("", ""), (False, False), ([], []), ("null", None), ("false", False), (0, 0), ({}, {}), ("[]", [])],
)
def test_results_that_look_empty_are_results(raw: Any, value: Any) -> None:
    """The text "0", empty text, false, null and an empty list are what the tool gave."""
    assert values.result(raw) == Value(value)


@pytest.mark.parametrize(
    ("raw", "value"),
    [("12", 12), (12.0, 12), ("1.5", 1.5), (True, None), ("NaN", None), (math.inf, None), ("many", None), ([], None)],
)
def test_numbers_are_finite(raw: Any, value: float | None) -> None:
    """A number or the text of one, whole where it is; no boolean and no NaN."""
    seen = values.number(raw)
    assert (seen and seen.value) == value


@pytest.mark.parametrize(("raw", "value"), [(0, 0), ("7", 7), (-1, None), (1.5, None), ("1e400", None)])
def test_counts_are_whole_and_not_negative(raw: Any, value: int | None) -> None:
    """A token count is 0 or more, and what is no count is not one."""
    seen = values.count(raw)
    assert (seen.value if seen else None) == value


@pytest.mark.parametrize("raw", [(["a", "b"]), '["a", "b"]', '[ "a","b" ]'])
def test_names_are_a_list_in_any_encoding(raw: Any) -> None:
    """A list of strings may be an array or JSON text."""
    assert values.names(raw) == Value(["a", "b"])


def test_one_name_is_a_list_of_one() -> None:
    """A lone string is a list with one member; what is no string is written as text."""
    assert values.names("stop") == Value(["stop"])
    assert values.names([1, {"id": "x"}]) == Value(["1", '{"id":"x"}'])


@pytest.mark.parametrize("raw", ["", " ", 5, None, ["a"]])
def test_a_name_has_something_in_it(raw: Any) -> None:
    """What is not text, or blank, names nothing."""
    assert values.name(raw) is None


@pytest.mark.parametrize(
    "raw",
    [
        '{"a": NaN}',
        '{"a": "\\ud800"}',
        '{"a": 1e400}',
        '{"a": ' + "9" * 400 + "}",
        '{"a": ' + "[" * 300 + "]" * 300 + "}",
    ],
)
def test_what_parse_gives_can_be_written_again(raw: str) -> None:
    """NaN, lone surrogates, huge numbers and great depth become values that JSON can hold."""
    assert orjson.loads(orjson.dumps(values.parse(raw))).keys() == {"a"}


def test_endless_nesting_is_no_json() -> None:
    """Text nested beyond what any parser takes is malformed, and takes no time."""
    seen = values.content("[" * 1_000_000)
    assert seen is not None
    assert seen.state == "malformed"


def test_equal_values_have_one_key() -> None:
    """Order of keys and 50.0 for 50 make no difference; a text is not its number."""
    assert values.same_key({"a": 50.0, "b": [1]}) == values.same_key({"b": [1.0], "a": 50})
    assert values.same_key({"a": "50"}) != values.same_key({"a": 50})


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, "\ud800", {"a": [2**70]}, {"\udfff": 1}])
def test_what_has_no_place_in_json_is_written_all_the_same(value: object) -> None:
    """As its text, within whatever holds it, so that equal values stay equal."""
    assert isinstance(values.as_text([value]), str)
    assert values.same_key([value]) == values.same_key([value])
    assert values.text([value]) == Value(values.as_text([value]))


def test_a_text_that_comes_again_is_decoded_once() -> None:
    """Equal texts give one object, unless they are so long that keeping them would cost memory."""
    short, long = '{"order": "A-1234"}', '{"order": "' + "A" * values.LONGEST_KEPT + '"}'
    assert values.content(short) is values.content(short[:1] + short[1:])
    assert values.content(long) == values.content(long[:1] + long[1:])
    assert values.content(long) is not values.content(long)


def test_what_was_decoded_is_never_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several facts, jobs and runs may hold one decoded object: making the trees of all captures leaves each as it was read."""
    read: list[tuple[Value, bytes]] = []

    @lru_cache(values.KEPT)
    def noted(raw: str) -> Value:
        seen = values._decoded(raw)
        read.append((seen, orjson.dumps(seen, default=str)))
        return seen

    monkeypatch.setattr(values, "_kept", noted)
    for name in captures.NAMES:
        loaded = captures.load(name)
        normalize.build(loaded.spans, loaded.logs)
    assert len(read) > len(captures.NAMES)
    assert [seen for seen, text in read if orjson.dumps(seen, default=str) != text] == []
