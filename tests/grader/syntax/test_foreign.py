"""Files of other tools: read, taken apart, and all mistakes told."""

from collections.abc import Callable
from typing import Any

import pytest

from grader.syntax.foreign import Fields, Sheet, glance, kind_of, parse
from grader.syntax.mistakes import SuiteError


def mistakes(text: str, read: Callable[[Fields], object]) -> list[str]:
    """What a reader finds wrong in a file."""
    sheet = Sheet("f", text)
    fields = sheet.fields()
    read(fields)
    fields.close()
    try:
        sheet.done()
    except SuiteError as error:
        return [str(m) for m in error.mistakes]
    return []


def test_json_and_yaml_are_told_apart_by_content() -> None:
    """Braces without quotes are YAML, unless the file is called JSON."""
    assert parse("f", '{"a": yes}').value == {"a": True}
    assert parse("f", "\ufeffa: yes\n").value == {"a": True}
    assert "not JSON" in parse("f.json", "a: yes\n").mistakes[0].message
    assert "not YAML" in parse("f", '{"a": [').mistakes[0].message


def test_yaml_takes_over_merged_keys() -> None:
    """What stands beside `<<` wins, and of several merged mappings the first."""
    text = "one: &one {a: 1, b: 1}\ntwo: &two {b: 2, c: 2}\nall: {<<: [*one, *two], a: 0}\n"
    assert parse("f", text).value["all"] == {"a": 0, "b": 1, "c": 2}
    assert "mappings only" in parse("f", "a: {<<: 1}\n").mistakes[0].message


def test_glance_never_fails() -> None:
    """What cannot be read has no value."""
    assert glance('{"a": 1}') == {"a": 1}
    assert glance("a: [") is None
    assert glance("") is None


def test_an_empty_or_unreadable_file_ends_at_once() -> None:
    """There is nothing to go on with."""
    for text in ("", "null", "a: ["):
        with pytest.raises(SuiteError):
            Sheet("f", text)


def test_each_kind_of_value_is_asked_for() -> None:
    """And comes back as it stands in the file."""
    sheet = Sheet("f", "t: x\nw: 3\nn: 1.5\nb: yes\no: two\nl: [a, b]\nm: {k: 1}\ni: [{k: 1}, {}]\nr: [1, {a: null}]\n")
    fields = sheet.fields()
    assert (fields.text("t"), fields.whole_or("w", 0), fields.number_or("n", 0)) == ("x", 3, 1.5)
    assert (fields.truth_or("b", default=False), fields.one_of("o", ["one", "two"])) == (True, "two")
    assert (fields.texts("l"), fields.texts("t", single=True)) == (["a", "b"], ["x"])
    below = fields.fields("m")
    assert below is not None
    assert (below.whole_or("k", 0), below.line, len(fields.items("i"))) == (1, 7, 2)
    assert fields.raw("r") == [1, {"a": None}]
    assert fields.rest() == []
    sheet.done()


def test_what_is_missing_has_its_default() -> None:
    """Null counts as missing."""
    fields = Sheet("f", "a: null\nz: 1\n").fields()
    assert (fields.text_or("a", None), fields.whole_or("b", 7), fields.truth_or("c", default=True)) == (None, 7, True)
    assert (fields.number_or("d", 0.5), fields.one_of("e", ["x", "y"], "y"), fields.texts("f")) == (0.5, "y", [])
    assert (fields.fields("g"), fields.items("h"), fields.raw("i")) == (None, [], None)


@pytest.mark.parametrize(
    ("text", "read", "message"),
    [
        ("a: 1", lambda f: f.text("a"), "f:1: a: must be a text, is a number"),
        ("a: ''", lambda f: f.text("a"), "f:1: a: must be a text, is empty"),
        ("a: 2026-01-02", lambda f: f.text("a"), "f:1: a: must be a text, is a date (quote it to make it a text)"),
        ("b: 1", lambda f: (f.text("a"), f.raw("b")), "f:1: a: is missing"),
        ("a: yes", lambda f: f.whole_or("a", 0), "f:1: a: must be a number, is a boolean"),
        ("a: 1.5", lambda f: f.whole_or("a", 0), "f:1: a: must be a whole number"),
        ("a: 11", lambda f: f.whole_or("a", 0, 1, 10), "f:1: a: must be 1 to 10, is 11"),
        ("a: -1", lambda f: f.number_or("a", 0, 0), "f:1: a: must be at least 0, is -1"),
        ("a: .nan", lambda f: f.number_or("a", 0), "f:1: a: must be a number, is no finite number"),
        ("a: 'yes'", lambda f: f.truth_or("a", default=False), "f:1: a: must be true or false, is a text"),
        (
            "a: majr",
            lambda f: f.one_of("a", ["major", "minor"]),
            "f:1: a: must be one of major, minor; is 'majr'; did you mean 'major'?",
        ),
        ("a: x", lambda f: f.texts("a"), "f:1: a: must be a list of texts, is a text"),
        ("a: []", lambda f: f.texts("a", least=1), "f:1: a: must have at least 1 entry"),
        ("a:\n- x\n- 1", lambda f: f.texts("a"), "f:3: a[1]: must be a text, is a number"),
        ("a: x", lambda f: f.items("a"), "f:1: a: must be a list, is a text"),
        ("a:\n- null", lambda f: f.items("a"), "f:2: a[0]: must be a mapping of keys to values, is null"),
        ("a: [1]", lambda f: f.fields("a"), "f:1: a: must be a mapping of keys to values, is a list"),
        ("a: {b: [.inf]}", lambda f: f.raw("a"), "f:1: a.b[0]: must be a JSON value, is no finite number"),
        (
            "reqest: x",
            lambda f: f.text_or("request", None),
            "f:1: reqest: unknown key 'reqest'; did you mean 'request'?",
        ),
        ("zzz: x", lambda f: f.text_or("a", None), "f:1: zzz: unknown key 'zzz'; allowed here: a"),
        ('a: "\\ud800"', lambda f: f.raw("a"), "f:1: a: holds half of a character (an unpaired surrogate)"),
    ],
)
def test_a_mistake_says_where_and_what(text: str, read: Any, message: str) -> None:
    """File, line, field, what is expected and what stands there."""
    assert mistakes(text, read) == [message]


def test_all_mistakes_come_at_once() -> None:
    """The reader goes on with stand-ins."""
    found = mistakes("a: 1\nb: x\nc: 3\n", lambda f: (f.text("a"), f.whole_or("b", 0)))
    assert len(found) == 3


def test_a_place_without_a_mapping_is_told_once() -> None:
    """What is missing below it is not told as well."""
    assert len(mistakes("a: 5\n", lambda f: (f.fields("a") or f).text("b"))) == 1


def test_kinds_are_told_in_plain_words() -> None:
    """For messages."""
    assert [kind_of(v) for v in (None, True, 1.5, "", "x", [], {})] == [
        "null", "a boolean", "a number", "empty", "a text", "a list", "a mapping",
    ]  # fmt: skip
