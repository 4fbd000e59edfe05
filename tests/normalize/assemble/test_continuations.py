"""Jobs that go on where another stopped, in a trace of their own."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.normalize.spans import Row, agent, asks, chat, event, row, runs, says, told, tool, user

ASKED = [user("refund"), asks(("call_9f3a7c21", "look", {"id": 7}))]
ANSWERED = [*ASKED, told("call_9f3a7c21", {"ok": True})]


def loop(**later: Any) -> list[Row]:
    """Two model calls of a loop that no span holds: each is a trace of its own."""
    return [
        chat("m", ASKED[:1], ASKED[1:], trace="t1"),
        chat("n", ANSWERED, [says("Done.")], trace="t2", **later),
    ]


def test_a_loop_without_a_span_is_one_run() -> None:
    """The second call begins by answering what the first asked for: one run, its second trace "continued"."""
    (run,) = runs(*loop())
    assert (run.root.input, run.root.reply) == ("refund", "Done.")
    assert [(member.trace_id, member.reason) for member in run.members] == [("t1", "root"), ("t2", "continued")]
    (call,) = run.root.tool_calls
    assert (call.state, call.result) == ("answered", {"ok": True})


def test_another_process_is_another_run() -> None:
    """The same ids from another resource, without a conversation in common, join nothing."""
    assert len(runs(*loop(resource={"service.name": "other"}))) == 2


def test_two_candidates_join_nothing() -> None:
    """Where two runs left the same call open, nobody knows which one goes on."""
    twin = chat("o", ASKED[:1], ASKED[1:], trace="t3")
    assert len(runs(*loop(), twin)) == 3


def test_a_new_turn_is_a_new_run() -> None:
    """A history that ends with a person's words goes on with nothing."""
    talk = [user("hi"), says("Hello."), user("refund")]
    assert len(runs(chat("m", talk[:1], talk[1:2], trace="t1"), chat("n", talk, [says("Ok.")], trace="t2"))) == 2


def test_without_ids_the_history_joins() -> None:
    """The later history is the earlier one and its answer, word by word."""
    begun = [user("refund"), asks((None, "look", {"id": 7}))]
    first = chat("m", begun[:1], begun[1:], trace="t1")
    second = chat("n", [*begun, told(None, "fine")], [says("Done.")], trace="t2")
    (run,) = runs(first, second)
    assert run.root.reply == "Done."


def test_equal_texts_without_ids_are_never_joined() -> None:
    """Two interleaved conversations with the same words and no ids: four single calls, nothing joined."""
    begun = [user("refund"), asks((None, "look", {"id": 7}))]
    rows = []
    for name in ("x", "y"):
        rows.append(chat(f"{name}1", begun[:1], begun[1:], trace=f"{name}1"))
        rows.append(chat(f"{name}2", [*begun, told(None, "fine")], [says("Done.")], trace=f"{name}2"))
    assert len(runs(*rows)) == 4


def test_a_copy_by_another_instrumentation_is_no_run() -> None:
    """A trace that holds nothing but the same response told by another scope goes to the call's own run, once."""
    response = {"gen_ai.response.id": "r1", "gen_ai.usage.input_tokens": 10}
    rows = [
        chat("m", [user("hi")], [says("Hello.")], response, trace="t1", scope="one"),
        chat("n", None, None, response, trace="t2", scope="two"),
    ]
    (run,) = runs(*rows)
    assert [call.input_tokens for call in run.root.model_calls] == [10]
    assert [member.reason for member in run.members] == ["root", "same response"]


LENGTHS = st.lists(st.integers(1, 4), min_size=2, max_size=4)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(lengths=LENGTHS, data=st.data(), alike=st.booleans())
def test_interleaved_conversations_with_equal_texts_stay_apart(
    lengths: list[int], data: st.DataObject, alike: bool
) -> None:
    """However conversations of the same words and without ids interleave, and wherever each ends, no run mixes two."""
    lengths = [max(lengths)] * len(lengths) if alike else lengths
    turns = [name for name, length in enumerate(lengths) for _ in range(length)]
    done = dict.fromkeys(range(len(lengths)), 0)
    rows = []
    for name in data.draw(st.permutations(turns)):
        said: list[Any] = [user("refund")]
        for number in range(done[name]):
            said += [asks((None, "look", {"id": number})), told(None, "fine")]
        last = done[name] == lengths[name] - 1
        made = says("Done.") if last else asks((None, "look", {"id": done[name]}))
        rows.append(chat(f"s{name}{done[name]}", said, [made], trace=f"{name}-{done[name]}"))
        done[name] += 1
    found = runs(*rows)
    for run in found:
        assert len({member.trace_id.split("-")[0] for member in run.members}) == 1
    if alike:
        assert len(found) == len(rows)


PAUSE = "(Interrupt(value={'action_requests': [{'name': 'refund', 'args': {'amount': 50}}]}, id='1'),)"
LANGCHAIN = "openinference.instrumentation.langchain"


def decided(amount: int = 50, talk: str = "thread-1") -> list[Row]:
    """A run that stopped for a decision, and the run that was told it; the model call that asked is lost."""
    command = json.dumps({"graph": None, "update": None, "resume": {"decisions": [{"type": "approve"}]}, "goto": []})
    pause = event("exception", {"exception.type": "GraphInterrupt", "exception.message": PAUSE})
    held = {"openinference.span.kind": "AGENT", "input.value": command, "session.id": talk}
    return [
        agent("a", "clerk", {"gen_ai.conversation.id": "thread-1"}, trace="t1", events=[pause], scope=LANGCHAIN),
        row("b", held, trace="t2", name="clerk", scope=LANGCHAIN),
        tool("t", "refund", "call_9f3a7c21", {"amount": amount}, "ok", parent="b", trace="t2"),
    ]


def test_what_was_decided_joins_where_the_call_id_is_lost() -> None:
    """In one conversation the tool and the arguments that a decision was asked on, and then were run."""
    (found,) = runs(*decided())
    assert [(member.trace_id, member.reason) for member in found.members] == [("t1", "root"), ("t2", "resumed")]
    assert [(a.tool, a.decision) for a in found.root.approvals] == [("refund", "approve")]


def test_another_decision_joins_nothing() -> None:
    """Other arguments, or another conversation, are another matter."""
    assert [len(runs(*decided(amount=40))), len(runs(*decided(talk="thread-2")))] == [2, 2]


def test_the_history_on_a_jobs_own_span_answers_what_was_left_open() -> None:
    """Some write the last model call onto the job's span: the call's execution may be lost, its result stands there."""
    given = [
        {"role": "model", "parts": [{"function_call": {"id": "call_9f3a7c21", "name": "look", "args": {"id": 7}}}]}
    ]
    answer = {"function_response": {"id": "call_9f3a7c21", "name": "look", "response": {"ok": True}}}
    asked = {"content": given[0]}
    later = {"contents": [*given, {"role": "user", "parts": [answer]}]}
    done = {"content": {"role": "model", "parts": [{"text": "Done."}]}}

    def own(span_id: str, said: object, made: object) -> Row:
        held = {
            "openinference.span.kind": "AGENT",
            "agent.name": "clerk",
            "input.value": json.dumps(said),
            "output.value": json.dumps(made),
        }
        scope = "openinference.instrumentation.google_adk"
        return row(span_id, held, name="agent_run [clerk]", trace=span_id, scope=scope)

    first = {"contents": [{"role": "user", "parts": [{"text": "refund"}]}]}
    waits = {"error": "This tool call requires confirmation, please approve or reject."}
    ran = tool("t", "look", "call_9f3a7c21", {"id": 7}, waits, parent="a", trace="a", scope="gcp.vertex.agent")
    (found,) = runs(own("a", first, asked), ran, own("b", later, done))
    assert (found.root.reply, [(c.name, c.state) for c in found.root.tool_calls]) == ("Done.", [("look", "answered")])
