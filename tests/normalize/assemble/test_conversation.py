"""A job's messages, each once, however often its model calls repeat them."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector import normalize
from collector.message import Message
from collector.tree import Job, Run
from tests import captures
from tests.normalize.spans import agent, asks, chat, job, says, told, tool, user
from tests.normalize.test_properties import unique

LOOK = asks(("c1", "look", {"id": "A"}))
SYSTEM = {"role": "system", "parts": [{"type": "text", "content": "Be kind."}]}


def lines(root: Job) -> list[str]:
    """The messages of a job, one line each: role, words or calls, flags."""
    return [line(message) for message in root.messages]


def line(message: Message) -> str:
    """A message as text."""
    calls = [f"→{call['id']}" for call in message.calls]
    said = [message.text] if message.text is not None else []
    return " ".join([message.role, *said, *calls, *(f"({flag})" for flag in message.flags)])


def talk(*calls: tuple[list[Any] | None, list[Any] | None]) -> list[str]:
    """The conversation of an agent that made these model calls: what each was given, and what it made."""
    return lines(job(agent("a"), *(chat(f"m{i}", *call, parent="a") for i, call in enumerate(calls))))


def test_cumulative_history_is_told_once() -> None:
    """Every model call repeats all before it; each message is there once, in order."""
    first = [SYSTEM, user("hi")]
    second = [*first, LOOK, told("c1", "mug")]
    assert talk((first, [LOOK]), (second, [says("A mug.")])) == [
        "system Be kind.", "user hi", "assistant →c1", "tool mug", "assistant A mug.",
    ]  # fmt: skip


def test_a_message_says_where_it_was_seen_first() -> None:
    """What was given has the time of its call's start, what was made that of its end, both the call's span."""
    root = job(agent("a", end=90), chat("m", [user("hi")], [says("yo")], parent="a", start=10, end=50))
    assert [(m.at, m.spans, m.finish) for m in root.messages] == [(10, ["m"], None), (50, ["m"], "stop")]


def test_a_second_turn_goes_on() -> None:
    """The next turn adds what is new, even where somebody says again what was said before."""
    one, two = [user("ok"), says("Done")], [user("ok")]
    assert talk((one[:1], [one[1]]), ([*one, *two], [says("Done")]), ([*one, *two, says("Done"), user("ok")], [])) == [
        "user ok", "assistant Done", "user ok", "assistant Done", "user ok",
    ]  # fmt: skip


def test_duplicate_instrumentors_add_nothing() -> None:
    """Two spans of one call, with or without one response id, one inside the other or beside it, tell it once."""
    inner = chat("n", [user("hi")], [says("yo")], {"gen_ai.response.id": "r2"}, parent="a", scope="two")
    outer = chat("m", [user("hi")], [says("yo")], {"gen_ai.response.id": "r1"}, parent="a", scope="one")
    assert lines(job(agent("a"), outer, inner)) == ["user hi", "assistant yo"]
    assert lines(job(agent("a"), outer, {**inner, "parent_span_id": "m"})) == ["user hi", "assistant yo"]


def test_a_history_whose_beginning_was_cut_goes_on_at_its_end() -> None:
    """A window over the conversation adds what is new behind its last known message, and the cut is marked."""
    whole = [user("one"), says("1"), user("two")]
    assert talk((whole[:1], [whole[1]]), (whole, [says("2")]), ([user("two"), says("2"), user("three")], [says("3")])) == [
        "user one", "assistant 1", "user two", "assistant 2", "user three (break)", "assistant 3",
    ]  # fmt: skip


def test_a_summary_in_place_of_the_beginning_is_a_message() -> None:
    """Compaction: the summary is new, what was kept behind it is not, and what follows goes on without another mark."""
    kept = [LOOK, told("c1", "mug")]
    after = [user("Summary: a mug."), *kept]
    said = talk(
        ([user("one")], [LOOK]),
        ([user("one"), *kept], [says("A mug.")]),
        ([*after, says("A mug."), user("two")], [says("2")]),
        ([*after, says("A mug."), user("two"), says("2"), user("three")], [says("3")]),
    )
    assert said == [
        "user one", "assistant →c1", "tool mug", "assistant A mug.", "user Summary: a mug. (break)", "user two",
        "assistant 2", "user three", "assistant 3",
    ]  # fmt: skip


def test_a_history_all_summed_up_is_a_strand_of_its_own() -> None:
    """Where nothing of the conversation's end is left, what the model was given stands whole, marked."""
    assert talk(([user("one")], [says("1")]), ([user("Summary"), user("two")], [says("2")])) == [
        "user one", "assistant 1", "user Summary (break)", "user two", "assistant 2",
    ]  # fmt: skip


def test_a_rewritten_history_parts_where_it_differs() -> None:
    """What stands before the first difference is known, what stands from there on is new: nothing is mixed."""
    assert talk(([user("one")], [says("1")]), ([user("one"), says("I"), user("two")], [says("2")])) == [
        "user one", "assistant 1", "assistant I (break)", "user two", "assistant 2",
    ]  # fmt: skip


def test_two_strands_are_not_mixed() -> None:
    """A guardrail asks its own model in between: its words are there, marked, and the conversation goes on behind them."""
    guard = [{"role": "system", "parts": [{"type": "text", "content": "Is it safe?"}]}, user("Check: yo")]
    later = [SYSTEM, user("hi"), says("yo"), user("so?")]
    assert talk((later[:2], [later[2]]), (guard, [says("safe")]), (later, [says("!")])) == [
        "system Be kind.", "user hi", "assistant yo", "system Is it safe?", "user Check: yo (break)", "assistant safe",
        "user so? (break)", "assistant !",
    ]  # fmt: skip


def test_content_that_was_hidden_is_a_message_without_words() -> None:
    """Who spoke is known, what was said is not, and why; a result that was cut off keeps what is left."""
    cut = told("c1", '{"item": "mu')
    assert talk(([user("[REDACTED]")], [LOOK]), ([user("[REDACTED]"), LOOK, cut], [says("[REDACTED]")])) == [
        "user (redacted)", "assistant →c1", 'tool {"item": "mu (unreadable_json)', "assistant (redacted)",
    ]  # fmt: skip


def test_parallel_calls_are_one_message_and_their_results_one_each() -> None:
    """However a client groups calls and results: as parts of one message or as items of their own."""
    both = asks(("c1", "look", {}), ("c2", "look", {}))
    said = ["user hi", "assistant →c1 →c2", "tool 1", "tool 2", "assistant Done"]
    results = {"role": "tool", "parts": [*told("c1", 1)["parts"], *told("c2", 2)["parts"]]}
    assert talk(([user("hi")], [both]), ([user("hi"), both, results], [says("Done")])) == said
    items = [asks(("c1", "look", {})), asks(("c2", "look", {}))]
    assert talk(([user("hi")], items), ([user("hi"), *items, told("c1", 1), told("c2", 2)], [says("Done")])) == said


def test_a_history_may_group_or_order_calls_otherwise() -> None:
    """Calls are known by their ids, so that another grouping or order tells none of them twice."""
    made = asks(("call_abc", "look", {}), ("call_xyz", "find", {}))
    other = [asks(("call_xyz", "find", {})), asks(("call_abc", "look", {}))]
    said = talk(
        ([user("hi")], [made]), ([user("hi"), *other, told("call_abc", 1), told("call_xyz", 2)], [says("Done")])
    )
    assert [text.split(" (")[0] for text in said] == [
        "user hi", "assistant →call_abc →call_xyz", "tool 1", "tool 2", "assistant Done",
    ]  # fmt: skip


def test_an_items_own_id_in_the_history_is_the_same_call() -> None:
    """Some clients write the item's id (`fc_…`) where the call's belongs: the same name and arguments tell it."""
    item = asks(("fc_1", "look", {"id": "A"}))
    assert talk(([user("hi")], [LOOK]), ([user("hi"), item, told("c1", 1)], [says("Done")])) == [
        "user hi", "assistant →c1", "tool 1", "assistant Done",
    ]  # fmt: skip


def test_two_choices_are_two_messages() -> None:
    """The second choice is marked, and the history goes on behind the one that was taken."""
    choices = [says("yes"), says("no")]
    assert talk(([user("hi")], choices), ([user("hi"), says("no"), user("why?")], [says("so")])) == [
        "user hi", "assistant yes", "assistant no (alternative)", "user why?", "assistant so",
    ]  # fmt: skip


def test_inputs_that_hold_only_what_is_new_go_on() -> None:
    """A server that keeps the history is given results alone: they answer calls of the conversation."""
    assert talk(([user("hi")], [LOOK]), ([told("c1", 1)], [says("Done")])) == [
        "user hi", "assistant →c1", "tool 1", "assistant Done",
    ]  # fmt: skip


def test_without_recorded_inputs_outputs_follow_each_other() -> None:
    """Model calls that record only what they made leave the rest out; nothing is invented."""
    assert talk((None, [LOOK]), (None, [says("Done")])) == ["assistant →c1", "assistant Done"]


def test_a_job_whose_model_calls_tell_nothing_tells_its_own_messages() -> None:
    """The agent span's messages stand in for those of its model calls; input and reply as plain text stand for nothing."""
    held = {"gen_ai.input.messages": json.dumps([user("hi")]), "gen_ai.output.messages": json.dumps([says("yo")])}
    assert lines(job(agent("a", "support", held), chat("m", parent="a"))) == ["user hi", "assistant yo"]
    plain = {"input.value": "hi", "output.value": "yo", "openinference.span.kind": "AGENT"}
    root = job(agent("a", "support", plain), chat("m", parent="a"))
    assert (root.input, root.messages) == ("hi", [])


def test_each_job_has_its_own_conversation() -> None:
    """A child's messages are not its parent's."""
    root = job(
        agent("a"),
        chat("m", [user("hi")], [asks(("c1", "ask", {}))], parent="a"),
        tool("t", "ask", "c1", {}, "yes", parent="a"),
        agent("b", "child", parent="t"),
        chat("n", [user("may I?")], [says("yes")], parent="b"),
    )
    assert [lines(each) for each in root.walk()] == [["user hi", "assistant →c1"], ["user may I?", "assistant yes"]]


def spoken(runs: list[Run]) -> dict[str, list[Message]]:
    """Messages by job."""
    return {each.id: each.messages for run in runs for each in run.root.walk()}


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(name=st.sampled_from(captures.NAMES), data=st.data())
def test_order_and_repetition_change_no_message(name: str, data: st.DataObject) -> None:
    """Rows in any order, delivered twice, give the same messages of the same jobs."""
    capture = captures.load(name)
    order = data.draw(st.permutations(range(capture.spans.num_rows)))
    again = data.draw(st.lists(st.sampled_from(order), max_size=len(order)))
    delivered = unique(capture.spans.take([*order, *again]))
    assert spoken(normalize.trees(delivered, capture.logs)) == spoken(capture.trees())


@pytest.mark.parametrize("name", captures.NAMES)
def test_every_requested_call_stands_in_one_message(name: str) -> None:
    """Each call that a model is seen to ask for is asked for once; no call is asked for twice, no result is there twice."""
    for run in captures.load(name).trees():
        for each in run.root.walk():
            asked = Counter(call["id"] for message in each.messages for call in message.calls if call["id"])
            answered = Counter(message.call_id for message in each.messages if message.call_id)
            assert set(asked.values()) <= {1}, each.id
            assert set(answered.values()) <= {1}, each.id
            if any(message.role == "assistant" for message in each.messages):
                wanted = {c.call_id for c in each.tool_calls if c.call_id and c.requested_arguments is not None}
                assert wanted <= asked.keys(), each.id


@pytest.mark.parametrize("name", captures.NAMES)
def test_nothing_is_said_that_no_span_tells(name: str) -> None:
    """Roles are the four known ones, words are there or a flag or a call says why not, and a row has its span."""
    for run in captures.load(name).trees():
        for each in run.root.walk():
            spans = {span for call in each.model_calls for span in call.spans}
            for message in each.messages:
                assert message.role in ("system", "user", "assistant", "tool")
                assert message.text is not None or message.calls or message.flags or message.role == "tool"
                assert message.spans
                assert not each.model_calls or not spans or set(message.spans) <= spans | set(each.spans)
