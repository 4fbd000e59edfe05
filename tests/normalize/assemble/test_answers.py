"""What became of calls, as later inputs and logs tell it."""

from collector.tree import ToolCall
from tests.normalize.spans import Row, agent, asks, chat, job, says, told, user


def calls(*rows: Row) -> list[ToolCall]:
    """The calls of one agent, none of which has a span of its own."""
    return job(agent("a"), *rows).tool_calls


def talk(asked: list[tuple[str | None, str]], *answers: tuple[str | None, str]) -> list[ToolCall]:
    """A model asks for calls and is given answers, each with or without an id."""
    ask = asks(*((call_id, name, {}) for call_id, name in asked))
    given = [user("x"), ask, *(told(call_id, text) for call_id, text in answers)]
    return calls(
        chat("m", [user("x")], [ask], parent="a"),
        chat("n", given, [says("y")], parent="a"),
    )


def test_an_answer_finds_its_call_by_id() -> None:
    """In whatever order the answers come."""
    found = talk([("c1", "look"), ("c2", "look")], ("c2", "two"), ("c1", "one"))
    assert [(call.result, call.state) for call in found] == [("one", "answered"), ("two", "answered")]
    assert [call.flags for call in found] == [[], []]


def test_as_many_answers_as_calls_are_taken_in_order() -> None:
    """Without ids that is an assumption, and the call says so."""
    found = talk([(None, "look"), (None, "look")], (None, "one"), (None, "two"))
    assert [(call.result, call.flags) for call in found] == [("one", ["result_by_order"]), ("two", ["result_by_order"])]


def test_a_single_answer_to_a_single_call_is_no_assumption() -> None:
    """There is nothing to mix up."""
    (call,) = talk([(None, "look")], (None, "one"))
    assert (call.result, call.flags) == ("one", [])


def test_too_few_answers_are_not_guessed() -> None:
    """One answer for two calls belongs to nobody knows which: both say that it is ambiguous."""
    found = talk([(None, "search"), (None, "write_file")], (None, "one"))
    assert [call.result_capture for call in found] == ["absent", "absent"]
    assert all("ambiguous_result" in call.flags for call in found)
