"""`reply`: what the final answer says."""

from typing import Any

import pytest
from pydantic import ValidationError

from grader.checks.reply import Both, Phrase, Reply, Same, Search
from grader.expressions.regexes import TooSlow
from grader.forms import Defaults
from grader.outcome import Finding
from tests.grader.trees import captured, scene


def decide(reply: object, state: str = "present", **demands: object) -> Finding:
    where = scene(reply=reply, capture=captured(reply=state))  # ty: ignore
    return Reply.model_validate({"reply": demands}).compile(Defaults()).decide(where)


@pytest.mark.parametrize(
    ("demands", "truth"),
    [
        ({"contains": "GUARANTEE"}, True),
        ({"contains": "GUARANTEE", "case_sensitive": True}, False),
        ({"contains": ["guarantee", "absent"]}, False),
        ({"excludes": "guarantee"}, False),
        ({"regex": r"R-\d+"}, True),
        ({"excludes_regex": r"R-\d+"}, False),
        ({"max_words": 5}, True),
        ({"max_words": 4}, False),
        ({"min_words": 6}, False),
        ({"max_characters": 28}, True),
        ({"max_characters": 27}, False),
    ],
)
def test_demands(demands: Any, truth: Any):
    """Plain text without case unless asked for; lengths are inclusive and of the stripped text."""
    assert decide("  I guarantee the refund R-12.  ", **demands).truth is truth


@pytest.mark.parametrize(
    ("size", "truth"), [({"max_words": 2}, True), ({"max_words": 1}, False), ({"max_characters": 3}, True)]
)
def test_length_is_of_the_stripped_text(size: Any, truth: Any):
    """White space around the reply does not count."""
    assert decide("  a b \n", **size).truth is truth


def test_several_demands_tell_what_failed_and_the_share_that_held():
    """The value is the share of demands that hold."""
    finding = decide("yes", contains=["yes", "no"], max_words=3)
    assert finding.truth is False
    assert finding.sentence == "the reply does not contain “no”"
    assert finding.value == pytest.approx(2 / 3)


def test_the_snippet_shows_what_surrounds_a_forbidden_phrase():
    """A person sees where it stands."""
    finding = decide("x" * 50 + " I guarantee it.", excludes="guarantee")
    assert finding.sentence.endswith("I guarantee it.")


def test_a_reply_that_was_not_captured_is_unknown():
    """Also for what must not be said."""
    assert decide(None, "absent", excludes="guarantee").truth is None
    assert decide(None, "absent", contains="x").truth is None


def test_an_empty_reply_is_a_reply():
    """It contains nothing, and excludes everything."""
    assert decide("", contains="x").truth is False
    assert decide("", excludes="x").truth is True


def test_a_cut_reply_decides_only_what_its_known_part_decides():
    """Found is found; not found may stand in what was cut."""
    assert decide("I guarantee", "partial", excludes="guarantee").truth is False
    assert decide("I guarantee", "partial", contains="guarantee").truth is True
    assert decide("I guarantee", "partial", contains="sorry").truth is None
    assert decide("a b c", "partial", max_words=2).truth is False
    assert decide("a b c", "partial", max_words=9).truth is None


def test_a_structured_reply_is_read_as_compact_json():
    """Text checks see the JSON."""
    assert decide({"label": "späm"}, contains='"label":"späm"').truth is True


@pytest.mark.parametrize("demands", [{}, {"case_sensitive": True}, {"regex": "("}, {"contains": ""}, {"contains": []}])
def test_bad_demands_are_refused_at_load(demands: Any):
    """An empty text would match everything."""
    with pytest.raises(ValidationError):
        Reply.model_validate({"reply": demands})


def test_a_hostile_pattern_is_answered_at_once_or_ended() -> None:
    """RE2 takes linear time; what only `re` can search is ended at its limit, which is an error and no pass."""
    reply = "a" * 60 + "b"
    assert decide(reply, excludes_regex="(a+)+$").truth is True
    with pytest.raises(TooSlow):
        decide(reply, excludes_regex="(?=a)(a+)+$")


def test_patterns_are_read_as_python_does() -> None:
    """Letters are those of Unicode, lookaround works, and the snippet stands around the match."""
    assert decide("Grüße aus Köln", regex=r"\bKöln\b").truth is True
    assert decide("Überweisung", regex=r"^\w+$").truth is True
    assert decide("refund R-12", regex=r"(?<=R-)\d+").truth is True
    finding = decide("x" * 50 + "ü R-12 y", excludes_regex=r"R-\d+")
    assert finding.sentence.endswith("xü R-12 y")


def test_what_is_forbidden_is_told_as_such():
    """With the text or the pattern, and where it stands."""
    assert decide("I guarantee it.", excludes="guarantee").sentence == "forbidden “guarantee” found: I guarantee it."
    assert decide("R-12", excludes_regex="R-.").sentence == "forbidden /R-./ found: R-12"


def test_a_pattern_may_be_read_as_javascript_does():
    """Its digits and words are those of ASCII alone, and `$` is the end."""
    for pattern, reply in ((r"\d", "٣"), (r"x$", "x\n")):
        assert Search(pattern=pattern, wanted=True).decide(scene(reply=reply)).truth is True
        assert Search(pattern=pattern, wanted=True, ascii=True).decide(scene(reply=reply)).truth is False


def test_a_search_that_takes_too_long_may_leave_the_check_open():
    """Where a vocabulary knows no broken checks."""
    found = Search(pattern="(?=a)(a+)+$", wanted=False, slow_is_open=True).decide(scene(reply="a" * 60 + "b"))
    assert (found.truth, found.sentence.endswith("the search took too long")) == (None, True)


@pytest.mark.parametrize(
    ("reply", "text", "case_sensitive", "strip", "truth"),
    [
        (" Done\n", "Done", True, True, True),
        ("Done", " Done ", True, True, True),
        (" Done", "Done", True, False, False),
        ("done", "Done", True, True, False),
        ("STRASSE", "straße", False, True, True),
        ({"b": 1, "a": 2}, '{"a": 2, "b": 1}', True, True, True),
        (None, "", True, True, True),
    ],
)
def test_the_same_text(reply: Any, text: str, case_sensitive: bool, strip: bool, truth: bool):
    """White space around both and case count only where asked for; what is no text is JSON."""
    same = Same(text=text, case_sensitive=case_sensitive, strip=strip, rendering="sorted")
    assert same.decide(scene(reply=reply)).truth is truth


def test_the_miss_shows_where_two_texts_part():
    """With what stands there."""
    same = Same(text="Refund 50 EUR", case_sensitive=True, strip=True)
    finding = same.decide(scene(reply="Refund 60 EUR"))
    assert finding.sentence.startswith(
        "the reply is “Refund 60 EUR”; expected “Refund 50 EUR” (they part at character 8"
    )
    assert same.decide(scene(reply="x", capture=captured(reply="partial"))).truth is None


def test_any_of_several_demands():
    """One that holds is enough; unmeasured, the value is 1 or 0."""
    parts = tuple(Phrase(phrase=p, wanted=True, case_sensitive=False) for p in ("a", "b"))
    assert Both(parts=parts, need="any").decide(scene(reply="a")).value == 0.5
    assert Both(parts=parts, need="any", measured=False).decide(scene(reply="a")).value is None
    assert Both(parts=(), none="no needles").decide(scene(reply="a")).sentence == "no needles"
    assert Both(parts=()).decide(scene(reply=None, capture=captured(reply="absent"))).truth is None


def test_flags_are_those_of_python():
    """2 is IGNORECASE."""
    assert Search(pattern="DONE", wanted=True, flags=2).decide(scene(reply="done")).truth is True
    assert Search(pattern="DONE", wanted=True).decide(scene(reply="done")).truth is False
