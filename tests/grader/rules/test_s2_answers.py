"""Rules S2-1 to S2-22: scores, and the checks on an answer."""

import socket
from typing import Any

import pytest

from tests.grader.evalstone_files import config, mistakes, refused, score
from tests.grader.trees import captured

LOST = {"reply": None, "capture": {"reply": "absent"}}


def test_S2_01_every_check_gives_a_score() -> None:
    """A value from 0 to 1, passed or not, and a reason; nothing captured is an error with a reason."""
    good, bad = score("exact", expected="done"), score("exact", expected="other")
    assert [(r.outcome, r.value) for r in (good, bad)] == [("pass", 1.0), ("fail", 0.0)]
    assert bad.sentence == "the reply is “done”; expected “other”"
    lost = score("exact", expected="done", **LOST)
    assert (lost.outcome, lost.value) == ("error", None)
    assert "the reply was not captured" in lost.sentence


@pytest.mark.parametrize(
    ("type_", "check"),
    [
        ("exact", {"expected": "done"}),
        ("contains", {"needles": "done"}),
        ("contains", {"needles": []}),
        ("regex", {"pattern": "x", "must_match": False}),
        ("json_schema", {"schema": {}}),
        ("numeric_tolerance", {"expected": 1}),
        ("length", {"max_chars": 9}),
        ("safety.refusal", {}),
        ("safety.no_pii", {}),
        ("safety.forbidden", {"phrases": "x"}),
        ("trajectory.finished", {}),
    ],
)
def test_S2_02_an_error_is_never_a_pass_and_has_no_value(type_: str, check: Any) -> None:
    """Without a reply no check on the answer passes, also not one that an empty answer would meet."""
    lost = score(type_, check=check, **LOST)
    assert (lost.outcome, lost.value) == ("error", None)


def test_S2_03_types_and_keys_are_exactly_the_known_ones() -> None:
    """Others are mistakes, with the nearest name; a check without a type is none."""
    assert refused(type="exakt") == ["type: 'exakt' is no check type; did you mean 'exact'?"]
    assert refused(type="length", max_char=1)[1:] == ["max_char: unknown key 'max_char'; did you mean 'max_chars'?"]
    assert refused(needles="x") == ["type: is missing"]
    assert refused(type="safety.no_pii", steps="s")[0].startswith("steps: unknown key 'steps'")


@pytest.mark.parametrize("type_", ["exact", "contains", "numeric_tolerance"])
@pytest.mark.parametrize(("expected", "check"), [(None, {}), ({"a": None}, {"path": "a"}), ({"a": 1}, {"path": "b"})])
def test_S2_04_a_missing_or_null_reference_is_an_error(type_: str, expected: Any, check: Any) -> None:
    """Never a failure of the agent, and never a pass."""
    result = score(type_, expected=expected, check=check)
    assert result.outcome == "error"
    assert "of sample 's' is" in result.sentence or "has no `expected`" in result.sentence


def test_S2_05_exact_takes_a_literal_else_the_samples_expected_or_a_path_into_it() -> None:
    """Paths are dotted and go into lists."""
    expected = {"a": [{"b": "done"}], "c": "no"}
    assert score("exact", expected="no", check={"expected": "done"}).outcome == "pass"
    assert score("exact", expected="done").outcome == "pass"
    assert score("exact", expected=expected, check={"path": "a.0.b"}).outcome == "pass"
    assert score("exact", expected=expected, check={"path": "a[0].b"}).outcome == "pass"
    assert score("exact", expected=expected, check={"path": "c"}).outcome == "fail"


@pytest.mark.parametrize(
    ("expected", "reply", "outcome"),
    [
        ("42", "42", "pass"),
        ("42", 42, "pass"),
        (42, "42", "pass"),
        (42, "42.0", "pass"),
        ({"a": 1, "b": [2]}, '{"b": [2], "a": 1.0}', "pass"),
        ('{"a": 1, "b": 2}', {"b": 2, "a": 1}, "pass"),
        (True, "1", "fail"),
        (1, "true", "fail"),
        (False, "0", "fail"),
        ({"a": 1}, "a is 1", "fail"),
        ([1, 2], "[2, 1]", "fail"),
    ],
)
def test_S2_06_a_text_is_compared_as_text_and_all_else_as_json(expected: Any, reply: Any, outcome: str) -> None:
    """Numbers by value, booleans never numbers; an output that is no JSON fails."""
    assert score("exact", expected=expected, reply=reply).outcome == outcome


def test_S2_07_case_counts_by_default_and_outer_white_space_does_not() -> None:
    """On both sides, and either can be switched."""
    assert score("exact", expected=" done\n", reply="  done ").outcome == "pass"
    assert score("exact", expected="done", reply=" done", check={"strip": False}).outcome == "fail"
    assert score("exact", expected="Done").outcome == "fail"
    assert score("exact", expected="Done", check={"case_sensitive": False}).outcome == "pass"


def test_S2_08_the_value_of_exact_is_1_or_0() -> None:
    """Nothing between."""
    assert [score("exact", expected=e).value for e in ("done", "don")] == [1.0, 0.0]


@pytest.mark.parametrize("type_", ["exact", "numeric_tolerance", "safety.refusal"])
def test_S2_09_a_literal_and_a_path_exclude_each_other(type_: str) -> None:
    """A mistake at load, and each alone is sound."""
    literal = True if type_ == "safety.refusal" else 1
    assert "`expected` and `path` exclude each other" in refused(type=type_, expected=literal, path="a")[0]
    assert refused(type=type_, expected=literal) == refused(type=type_, path="a") == []


def test_S2_10_contains_takes_needles_else_a_path_that_is_must_include_by_default() -> None:
    """Every needle and any case, unless said otherwise."""
    expected = {"must_include": ["DONE"], "other": ["absent"]}
    assert score("contains", expected=expected).outcome == "pass"
    assert score("contains", expected=expected, check={"path": "other"}).outcome == "fail"
    assert score("contains", expected=expected, check={"needles": ["absent"]}).outcome == "fail"
    assert score("contains", expected=expected, check={"case_sensitive": True}).outcome == "fail"
    assert score("contains", check={"needles": ["done", "absent"]}).outcome == "fail"
    assert score("contains", check={"needles": ["done", "absent"], "require_all": False}).outcome == "pass"
    assert "exclude each other" in refused(type="contains", needles="x", path="y")[0]


def test_S2_11_the_value_of_contains_is_the_share_found() -> None:
    """It passes only with every one."""
    result = score("contains", check={"needles": ["d", "o", "x", "y"]})
    assert (result.outcome, result.value) == ("fail", 0.5)
    assert score("contains", check={"needles": ["d", "o"]}).value == 1.0


def test_S2_12_with_any_needle_the_value_is_still_the_share() -> None:
    """One of three found passes with a third; none fails with 0."""
    found = score("contains", check={"needles": ["d", "x", "y"], "require_all": False})
    assert (found.outcome, found.value) == ("pass", pytest.approx(1 / 3))
    none = score("contains", check={"needles": ["x", "y"], "require_all": False})
    assert (none.outcome, none.value) == ("fail", 0.0)


def test_S2_13_needles_are_a_text_or_a_list_and_none_at_all_pass() -> None:
    """An empty list passes with 1 and says so; what is neither is a mistake, in a sample an error."""
    assert score("contains", check={"needles": "done"}).outcome == "pass"
    assert score("contains", expected={"must_include": "done"}).outcome == "pass"
    for empty in (score("contains", check={"needles": []}), score("contains", expected={"must_include": []})):
        assert (empty.outcome, empty.value, empty.sentence) == ("pass", 1.0, "no needles")
    assert refused(type="contains", needles=[1]) == refused(type="contains", needles="") != []
    assert score("contains", expected={"must_include": [1]}).outcome == "error"


@pytest.mark.parametrize(
    ("check", "outcome"),
    [
        ({"pattern": "on"}, "pass"),
        ({"pattern": "^on"}, "fail"),
        ({"pattern": "DONE"}, "fail"),
        ({"pattern": "DONE", "flags": 2}, "pass"),
        ({"pattern": "on", "must_match": False}, "fail"),
        ({"pattern": "x", "must_match": False}, "pass"),
        ({"pattern": r"(?<=d)one"}, "pass"),
    ],
)
def test_S2_14_a_regex_is_searched_with_the_flags_of_python(check: Any, outcome: str) -> None:
    """Anywhere in the output; it must match unless said otherwise."""
    assert score("regex", check=check).outcome == outcome


def test_S2_14_a_bad_regex_is_a_mistake_at_load() -> None:
    """So are flags that are none, and a pattern that is missing."""
    assert refused(type="regex", pattern="(")[0].startswith("pattern: ")
    assert refused(type="regex", pattern="x", flags=4)[0].startswith("flags: unknown flags 4")
    assert refused(type="regex", pattern="x", flags=True) == ["flags: must be a number, is a boolean"]
    assert refused(type="regex") == ["pattern: is missing"]


def test_S2_15_json_schema_passes_where_the_output_conforms() -> None:
    """The schema is a mapping, and its draft the one that it names."""
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    assert score("json_schema", check={"schema": schema}, reply='{"a": 1}').outcome == "pass"
    assert score("json_schema", check={"schema": schema}, reply={"a": "x"}).outcome == "fail"
    draft4 = {"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 3, "exclusiveMaximum": True}
    assert [score("json_schema", check={"schema": draft4}, reply=n).outcome for n in "23"] == ["pass", "fail"]
    assert "pydantic" in refused(type="json_schema", schema="models.Answer")[0]


def test_S2_16_a_malformed_schema_is_a_mistake_at_load() -> None:
    """Also one of a draft that nobody knows, and none at all."""
    assert refused(type="json_schema", schema={"type": "nonsense"})[0].startswith("schema: is not a JSON Schema: ")
    assert "no draft" in refused(type="json_schema", schema={"$schema": "https://example.invalid/draft"})[0]
    assert refused(type="json_schema") == ["schema: is missing"]


def test_S2_17_an_output_that_is_no_json_fails() -> None:
    """It is the agent's failure and no error."""
    result = score("json_schema", check={"schema": {}}, reply="```json\n{}\n```")
    assert (result.outcome, result.sentence) == ("fail", "the reply is not JSON")


@pytest.mark.timeout(20)
def test_S2_18_without_a_draft_it_is_2020_12_and_nothing_is_fetched() -> None:
    """`prefixItems` came with 2020-12; a reference into the net is an error of the check, and nobody is asked for it."""
    schema = {"prefixItems": [{"type": "integer"}]}
    assert score("json_schema", check={"schema": schema}, reply='["x"]').outcome == "fail"
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/s.json"
        assert score("json_schema", check={"schema": {"$ref": address}}, reply="1").outcome == "error"
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    ("check", "reply", "outcome"),
    [
        ({"expected": 100}, "100", "pass"),
        ({"expected": 100}, "100.001", "fail"),
        ({"expected": 100, "abs_tol": 5}, "105", "pass"),
        ({"expected": 100, "abs_tol": 5}, "105.01", "fail"),
        ({"expected": 100, "rel_tol": 0.1}, "111", "pass"),
        ({"expected": 100, "rel_tol": 0.1}, "112", "fail"),
        ({"expected": 100, "rel_tol": 0.001, "abs_tol": 5}, "105", "pass"),
        ({"expected": 2, "output_path": "a.1"}, '{"a": [1, 2]}', "pass"),
        ({"expected": 1, "output_path": "a.1"}, '{"a": [1, 2]}', "fail"),
    ],
)
def test_S2_19_a_number_within_tolerance(check: Any, reply: Any, outcome: str) -> None:
    """The larger of both tolerances, a relative one of the larger number; both are 0 by default."""
    assert score("numeric_tolerance", check=check, reply=reply).outcome == outcome
    assert refused(type="numeric_tolerance", abs_tol=-1) == ["abs_tol: must be at least 0, is -1"]


@pytest.mark.parametrize(
    ("check", "reply", "outcome"),
    [
        ({"expected": "100"}, "100", "pass"),
        ({"expected": 100}, '{"a": "100"}', "fail"),
        ({"expected": 100, "output_path": "a"}, '{"a": "100"}', "pass"),
        ({"expected": 1, "abs_tol": 9}, "NaN", "fail"),
        ({"expected": 1, "abs_tol": 9}, "true", "fail"),
        ({"expected": 1, "output_path": "a", "abs_tol": 9}, '{"a": true}', "fail"),
        ({"expected": 1, "output_path": "b", "abs_tol": 9}, '{"a": 1}', "fail"),
        ({"expected": 1, "output_path": "a", "abs_tol": 9}, "1", "fail"),
        ({"expected": 1, "abs_tol": 9}, "about 1", "fail"),
        ({"expected": "one"}, "1", "error"),
        ({"expected": True}, "1", "error"),
        ({"expected": [1]}, "1", "error"),
    ],
)
def test_S2_20_an_output_that_is_no_number_fails_and_a_reference_that_is_none_is_an_error(
    check: Any, reply: Any, outcome: str
) -> None:
    """A text that is a number is one on both sides; a boolean is none."""
    assert score("numeric_tolerance", check=check, reply=reply).outcome == outcome


@pytest.mark.parametrize(
    ("check", "outcome"),
    [
        ({"max_chars": 7}, "pass"),
        ({"max_chars": 6}, "fail"),
        ({"max_words": 2}, "pass"),
        ({"max_words": 1}, "fail"),
        ({"min_chars": 7}, "pass"),
        ({"min_chars": 8}, "fail"),
        ({"max_chars": 7, "max_words": 1}, "fail"),
    ],
)
def test_S2_21_length_is_of_the_stripped_text_in_code_points_and_both_ends_count(check: Any, outcome: str) -> None:
    """The reply is `grün 💶💶` with white space around it: seven code points, two words."""
    result = score("length", check=check, reply="\n  grün 💶💶 \t")
    assert (result.outcome, result.value) == (outcome, 1.0 if outcome == "pass" else 0.0)
    assert refused(type="length") == ["limits nothing: say max_chars, max_words or min_chars"]
    assert refused(type="length", max_chars=1, min_chars=2) == ["max_chars: is smaller than min_chars (2)"]


def test_S2_22_python_checks_cannot_stand_in_a_file() -> None:
    """The mistake says where a function belongs; nothing is run."""
    assert refused(type="python", fn="mychecks:polite") == [
        "type: is for Python only: a file cannot hold a function; list its module below `imports:` (--allow-code)"
    ]
    assert mistakes(config(imports=["mychecks"], checks={"c": {"type": "python"}})) != []


def test_S2_02_a_cut_reply_decides_only_what_its_known_part_decides() -> None:
    """A forbidden phrase that was seen is a failure; what was not seen may stand in the rest."""
    cut = {"capture": {"reply": "partial"}}
    assert score("safety.forbidden", check={"phrases": "done"}, **cut).outcome == "fail"
    assert score("contains", check={"needles": "absent"}, **cut).outcome == "error"
    assert captured(reply="partial")["reply"].state == "partial"
