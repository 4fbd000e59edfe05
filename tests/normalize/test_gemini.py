"""Gemini's own JSON, as Google ADK writes it into attributes."""

import json

from collector.normalize import gemini
from collector.normalize.values import Value


def test_a_request_is_the_messages_that_the_model_was_given() -> None:
    """The role "model" is the assistant's; a plain text is the user's."""
    (message,) = gemini.request(json.dumps({"contents": [{"role": "model", "parts": [{"text": "hello"}]}]})) or []
    assert (message.role, message.text()) == ("assistant", "hello")
    (message,) = gemini.request({"contents": "refund it"}) or []
    assert (message.role, message.text()) == ("user", "refund it")


def test_a_response_is_what_the_model_said() -> None:
    """Thoughts are no words; the first candidate counts."""
    parts = [{"text": "hm", "thought": True}, {"text": "done"}]
    for held in (
        {"content": {"parts": parts}},
        {"candidates": [{"content": {"parts": parts}}, {"content": {"parts": []}}]},
    ):
        (message,) = gemini.response(held) or []
        assert (message.role, message.text()) == ("assistant", "done")


def test_an_empty_object_is_unknown() -> None:
    """`{}` is written where content was not to be captured."""
    assert gemini.request("{}") is None
    assert gemini.response("{}") is None
    assert gemini.wanted("{}") is None
    assert gemini.answer("{}") is None


def test_a_functions_response_is_taken_out_of_its_wrapper() -> None:
    """{id, name, response}, or an event with such a part; an answer that only has such a key stays."""
    wrapped = {"id": "c1", "name": "look", "response": {"total": 5}}
    assert gemini.answer(json.dumps(wrapped)) == Value({"total": 5})
    assert gemini.answer({"content": {"parts": [{"function_response": wrapped}]}}) == Value({"total": 5})
    assert gemini.answer({"response": "yes", "sure": True}) == Value({"response": "yes", "sure": True})


def test_what_is_no_object_is_passed_over() -> None:
    """Neither text nor lists nor cut-off JSON."""
    for raw in (None, 5, "text", [1], '{"contents": [', {"contents": 5}, {"content": "x"}):
        assert gemini.request(raw) is None
        assert gemini.response(raw) is None
