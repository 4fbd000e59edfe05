"""What a job was asked and what it answered."""

import json
from typing import Any

from collector.tree import Job
from tests.normalize.spans import agent, asks, chat, job, row, says, told, tool, user

CALL = asks(("c1", "look", {}))


def spoken(root: Job) -> tuple[Any, str | None]:
    """The reply and where it stands."""
    return (root.reply, root.reply_source)


def test_declared_words_win() -> None:
    """Messages on the agent's span are its input and its reply, whatever its model calls say."""
    held = {
        "gen_ai.input.messages": json.dumps([user("old"), says("old"), user("new")]),
        "gen_ai.output.messages": json.dumps([says("Bye.")]),
    }
    root = job(agent("a", "support", held), chat("m", [user("x")], [says("y")], parent="a"))
    assert (root.input, spoken(root)) == ("new", ("Bye.", "declared"))


def test_the_last_model_call_speaks_for_a_job_that_does_not() -> None:
    """Without declared words the last own model call without a tool call tells the reply."""
    root = job(
        agent("a"),
        chat("m", [user("hi")], [CALL], parent="a"),
        chat("n", [user("hi"), CALL, told("c1", 1)], [says("Done")], parent="a"),
    )
    assert (root.input, spoken(root)) == ("hi", ("Done", "inferred:model"))


def test_words_beside_a_call_are_no_reply() -> None:
    """What is said along with a tool call is commentary."""
    asking = {"role": "assistant", "parts": [*says("Let me look.")["parts"], *CALL["parts"]]}
    assert spoken(job(agent("a"), chat("m", [user("hi")], [asking], parent="a"))) == (None, None)
    assert spoken(job(chat("m", [user("hi")], [asking], parent="lost"), tool("t", "look", "c1", parent="lost"))) == (
        None,
        None,
    )


def test_a_tools_output_is_never_the_reply() -> None:
    """A result is what a tool said, not what the agent said."""
    root = job(
        agent("a"), chat("m", [user("hi")], [CALL], parent="a"), tool("t", "look", "c1", {}, "the result", parent="a")
    )
    assert spoken(root) == (None, None)


def test_a_childs_words_are_not_its_parents() -> None:
    """The model calls of a child job speak for the child alone."""
    root = job(
        agent("a"),
        tool("t", "ask", "c1", parent="a"),
        agent("b", "child", parent="t"),
        chat("m", [user("x")], [says("y")], parent="b"),
    )
    assert spoken(root) == (None, None)
    assert spoken(root.jobs[0]) == ("y", "inferred:model")


def test_a_failed_job_has_no_inferred_reply() -> None:
    """What was said before it failed is not its answer."""
    assert spoken(job(agent("a", error="boom"), chat("m", [user("x")], [says("y")], parent="a"))) == (None, None)


def test_words_in_a_state_object_are_unwrapped() -> None:
    """A graph's state `{"messages": [...]}` is the words in it."""
    state = {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "Bye."}]}
    held = {
        "openinference.span.kind": "AGENT",
        "agent.name": "support",
        "input.value": json.dumps(state),
        "output.value": json.dumps(state),
        "output.mime_type": "application/json",
    }
    root = job(row("a", held))
    assert (root.input, root.reply) == ("hi", "Bye.")


def test_a_structured_reply_is_an_object() -> None:
    """A reply that is declared as JSON is its value; the same text without that is text."""
    held = {"openinference.span.kind": "AGENT", "agent.name": "a", "output.value": '{"ok": true}'}
    assert job(row("a", {**held, "output.mime_type": "application/json"})).reply == {"ok": True}
    assert job(row("a", held)).reply == '{"ok": true}'


def test_a_person_who_says_the_same_twice_is_heard() -> None:
    """The last turn's words are the input, also where an earlier turn had the same."""
    history = [user("again"), says("ok"), user("again")]
    assert job(agent("a"), chat("m", history, [says("ok")], parent="a")).input == "again"


def test_results_in_a_users_message_are_not_what_the_user_said() -> None:
    """A user message that holds only tool results is passed over."""
    results = {"role": "user", "parts": [{"type": "tool_call_response", "id": "c1", "response": "ok"}]}
    assert job(agent("a"), chat("m", [user("hi"), CALL, results], [says("Done")], parent="a")).input == "hi"
