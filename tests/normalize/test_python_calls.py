"""What Python functions were called with."""

import json

from collector.normalize.python_calls import is_handle, parameters, passed, words
from collector.normalize.values import Value


def test_keywords_are_the_arguments() -> None:
    """With or without a list of positional ones beside them."""
    assert passed('{"args": [], "kwargs": {"n": 1}}') == Value({"n": 1})
    assert passed('{"kwargs": {"n": 1}}') == Value({"n": 1})


def test_positional_arguments_take_the_names_of_the_parameters() -> None:
    """More of them than parameters have lost their names."""
    assert passed({"args": ["A"], "kwargs": {"n": 1}}, ["order", "n"]) == Value({"order": "A", "n": 1})
    assert passed({"args": ["A", 2], "kwargs": {}}, ["order"]) == Value(["A", 2], "malformed", "argument_names_lost")


def test_handles_are_none_of_the_callers() -> None:
    """The text of an object in memory is what the framework passed along; other text in brackets is somebody's."""
    assert passed({"kwargs": {"n": 1, "ctx": "<llama.Context object at 0x7fe4>"}}) == Value({"n": 1})
    assert not is_handle("<b>bold</b>")


def test_an_object_without_keywords_is_the_arguments_themselves() -> None:
    """As most instrumentations write them."""
    assert passed('{"n": 1}') == Value({"n": 1})
    assert passed(None) is None


def test_parameters_come_from_a_schema_or_a_mapping() -> None:
    """In their order; anything else names none."""
    assert parameters(json.dumps({"type": "object", "properties": {"b": {}, "a": {}}})) == ["b", "a"]
    assert parameters({"b": {"type": "string"}, "a": {}}) == ["b", "a"]
    assert parameters("none") == []


def test_the_only_argument_is_the_question() -> None:
    """Of one argument the text, of several all of them, since which is the question is not known."""
    for given, asked in (
        ('{"args": ["Hi"], "kwargs": {}}', "Hi"),
        ('{"q": "Hi"}', "Hi"),
        ('{"q": "Hi", "user": "u"}', {"q": "Hi", "user": "u"}),
        ("Hi", "Hi"),
    ):
        seen = words(given)
        assert seen is not None
        assert seen.value == asked
