"""A label and its line in a file."""

import json
from typing import Any

import pytest

from grader.asking import LabelWanted
from grader.people.label import Label, NoLabelError, from_line, given, to_line

FULL = Label(
    sample_id="s", output_hash="0123456789abcdef", value=0.75, passed=True, notes="fine", check="tone", labeler="ann",
    created_at=1_800_000_000_123_456_000, raw="4/5", run_id="r", suite="main", case="c",
)  # fmt: skip
PLAIN: dict[str, Any] = {"sample_id": "s", "output_hash": "0123456789abcdef", "value": 1.0, "passed": True}


def test_a_label_comes_back_from_its_line_as_it_was() -> None:
    """With all keys of the form, and where it came from."""
    keys = ["sample_id", "output_hash", "value", "passed", "notes", "check", "labeler", "created_at", "raw"]
    assert list(json.loads(to_line(FULL)))[:9] == keys
    assert from_line(to_line(FULL).decode()) == FULL
    assert json.loads(to_line(FULL))["created_at"] == "2027-01-15T08:00:00.123456+00:00"


@pytest.mark.parametrize(
    ("more", "key", "value"),
    [
        ({"value": None}, "value", 1.0),
        ({"value": 0, "passed": False}, "value", 0.0),
        ({"created_at": 1_800_000_000}, "created_at", 1_800_000_000_000_000_000),
        ({"created_at": "2027-01-15T08:00:00"}, "created_at", 1_800_000_000_000_000_000),
        ({"created_at": "2027-01-15T09:00:00+01:00"}, "created_at", 1_800_000_000_000_000_000),
        ({"raw": {"level": 4}}, "raw", '{"level":4}'),
        ({"unknown": 1}, "check", None),
    ],
)
def test_other_tools_lines_are_labels(more: dict[str, Any], key: str, value: Any) -> None:
    """Times as ISO (UTC unless it says otherwise) or seconds, whatever is raw as text, unknown keys left alone."""
    assert getattr(from_line(json.dumps(PLAIN | more)), key) == value


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "not JSON: "),
        ("[1]", "must be one JSON object a line, is a list"),
        (json.dumps(PLAIN | {"output_hash": "abc"}), "output_hash: must be 16 hex digits in lower case, is a text"),
        (json.dumps(PLAIN | {"passed": 1}), "passed: must be true or false, is a number"),
        (json.dumps(PLAIN | {"value": 1.5}), "value: must be a number from 0 to 1, is a number"),
        (json.dumps(PLAIN | {"value": True}), "value: must be a number from 0 to 1"),
        (json.dumps(PLAIN | {"check": 5}), "check: must be a text, is a number"),
        (json.dumps(PLAIN | {"created_at": "yesterday"}), "created_at: must be an ISO time"),
        (json.dumps(PLAIN | {"created_at": 1e300}), "created_at: must be an ISO time"),
        (json.dumps(PLAIN | {"created_at": "9999-01-01T00:00:00"}), "created_at: must be an ISO time"),
        ("{}", "sample_id: is missing; output_hash: is missing; passed: is missing"),
    ],
)
def test_what_is_no_label_says_why(line: str, told: str) -> None:
    """All that is wrong at once."""
    with pytest.raises(NoLabelError) as caught:
        from_line(line)
    assert told in str(caught.value)


def test_a_broken_line_may_tell_whose_label_it_would_be() -> None:
    """So that an earlier label of the same is not taken for the last word."""
    with pytest.raises(NoLabelError) as caught:
        from_line(json.dumps(PLAIN | {"passed": None, "check": "tone"}))
    whose = caught.value.whose
    assert whose is not None
    assert whose.fits(LabelWanted(sample="s", output_hash="0123456789abcdef", check="tone"))


@pytest.mark.parametrize(
    ("check", "named", "unnamed"),
    [(None, True, True), ("tone", True, False), ("", False, True), ("other", False, False)],
)
def test_a_check_takes_the_labels_of_its_name(check: str | None, named: bool, unnamed: bool) -> None:
    """Without a name it takes those of any check; a label of no check by name is one of none that has a name."""
    wanted = LabelWanted(sample="s", output_hash="0123456789abcdef", check=check)
    labels = [from_line(json.dumps(PLAIN | {"check": name})) for name in ("tone", None)]
    assert [label.fits(wanted) for label in labels] == [named, unnamed]


def test_a_label_is_of_a_sample_or_of_a_run_and_of_one_output() -> None:
    """Whatever the sample is called, the run is the same one; another output is another one."""
    wanted = LabelWanted(sample="other", output_hash=FULL.output_hash, check=None, run="r")
    assert FULL.fits(wanted)
    assert not FULL.fits(LabelWanted(sample="other", output_hash=FULL.output_hash, check=None, run="q"))
    assert not FULL.fits(LabelWanted(sample="s", output_hash="f" * 16, check=None, run="r"))
    assert not from_line(json.dumps(PLAIN)).fits(LabelWanted(sample="t", output_hash=PLAIN["output_hash"], check=None))


@pytest.mark.parametrize(
    ("typed", "scale", "verdict"),
    [
        ("p", None, (1.0, True, "p")),
        (" FAIL ", None, (0.0, False, "f")),
        ("4", None, None),
        ("4", 5, (0.75, True, "4/5")),
        ("3", 5, (0.5, False, "3/5")),
        ("2", 2, (1.0, True, "2/2")),
        ("1", 2, (0.0, False, "1/2")),
        ("0", 5, None),
        ("6", 5, None),
        ("²", 5, None),
        ("p", 5, None),
        ("", None, None),
    ],
)
def test_what_a_person_types(typed: str, scale: int | None, verdict: object) -> None:
    """P or f, or a level that passes by the rule of judges (S2-24)."""
    assert given(typed, scale) == verdict
