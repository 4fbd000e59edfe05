"""What the store's rules took out is unknown, never empty and never something else."""

import json
from typing import Any

import pytest

from collector.normalize.assemble.redacted import marked
from collector.tree import Job
from tests.normalize.spans import Row, agent, asks, chat, job, log, row, says, told, tool, user

MARK = "[REDACTED:email]"


def note(*at: str, action: str = "mask") -> dict[str, str]:
    """The column `beside` of a row in which something was taken out."""
    notes = [{"at": a, "kind": "redacted", "value": {"rule": "email", "action": action}} for a in at]
    return {"beside": json.dumps(notes, separators=(",", ":"))}


def refund(arguments: Any = '{"to":"x","amount":50}', result: Any = '{"ok":true}', answer: str = "done") -> list[Row]:
    """An agent that calls one tool and replies."""
    call = ("c1", "refund", arguments)
    return [
        agent("a"),
        chat("m1", [user("please")], [asks(call)], parent="a"),
        tool("t", "refund", "c1", arguments, result, parent="a"),
        chat("m2", [user("please"), asks(call), told("c1", result)], [says(answer)], parent="a"),
    ]


def redacted(rows: list[Row], **beside: dict[str, str]) -> Job:
    """The job of these rows, some with notes; by span id."""
    return job(*(row | beside.get(row["span_id"], {}) for row in rows))


def test_a_masked_field_makes_arguments_partial():
    """The other fields can still prove a match."""
    found = redacted(refund(f'{{"to":"{MARK}","amount":50}}'), t=note("/attributes/gen_ai.tool.call.arguments"))
    (call,) = found.tool_calls
    assert (call.arguments, call.arguments_capture) == ({"to": MARK, "amount": 50}, "partial")
    assert (found.capture["tool_args"].state, found.capture["tool_args"].reasons) == ("partial", ["redacted"])
    assert found.capture["tools"].state == "present"


@pytest.mark.parametrize("action", ["mask", "drop"])
def test_arguments_taken_out_whole_are_unreadable(action: str):
    """Masked or left out: nothing else stands in for them, and the reason is said."""
    held = [agent("a"), tool("t", "refund", "c1", MARK if action == "mask" else None, '{"ok":true}', parent="a")]
    found = redacted(held, t=note("/attributes/gen_ai.tool.call.arguments", action=action))
    (call,) = found.tool_calls
    assert (call.arguments, call.arguments_capture, call.state) == (None, "malformed", "succeeded")
    assert found.capture["tool_args"].reasons == ["redacted"]


def test_a_result_that_was_left_out_was_there():
    """A call of which only the result is gone has succeeded all the same."""
    held = [agent("a"), tool("t", "refund", "c1", "{}", None, parent="a")]
    (call,) = redacted(held, t=note("/attributes/gen_ai.tool.call.result", action="drop")).tool_calls
    assert (call.state, call.result_capture) == ("succeeded", "malformed")


def test_a_masked_piece_makes_a_reply_partial():
    """What stands around the mark is known."""
    found = redacted(refund(answer=f"I wrote to {MARK}."), m2=note("/attributes/gen_ai.output.messages"))
    assert found.reply == f"I wrote to {MARK}."
    assert (found.capture["reply"].state, found.capture["reply"].reasons) == ("partial", ["redacted"])


def test_messages_taken_out_whole_are_not_silence():
    """Without the words of the models the requests are open, with the reason why."""
    rows = [agent("a"), chat("m1", [user("please")], None, {"gen_ai.output.messages": MARK}, parent="a")]
    found = redacted(rows, m1=note("/attributes/gen_ai.output.messages"))
    assert found.capture["tools"].state != "present"
    assert "redacted" in found.capture["tools"].reasons
    assert "redacted" in found.capture["reply"].reasons


def test_an_earlier_question_does_not_stand_in():
    """Where the last words of the user are gone, the input is unknown and not what was asked before."""
    rows = [agent("a"), chat("m1", [user("first"), says("yes?"), user(MARK)], [says("done")], parent="a")]
    found = redacted(rows, m1=note("/attributes/gen_ai.input.messages"))
    assert found.input is None
    assert "redacted" in found.capture["input"].reasons


def test_a_log_that_was_redacted_counts_too():
    """Content that stands in logs is marked there."""
    told_by = log("a", "gen_ai.choice", {"message": {"content": f"to {MARK}"}}) | note("/body")
    found = job(agent("a", "support", {"gen_ai.output.messages": json.dumps([says(f"to {MARK}")])}), told_by=[told_by])
    assert found.capture["reply"].state == "partial"


def test_a_redacted_handoff_leaves_no_list_complete():
    """Who took over, and what came of the call, is read from the span's output: without it nothing may be decided on lists."""
    agents = "openinference.instrumentation.openai_agents"
    kinds = {kind: {"openinference.span.kind": kind} for kind in ("AGENT", "TOOL", "LLM")}
    asked = "llm.output_messages.0.message.tool_calls.0.tool_call."
    call = {f"{asked}id": "c1", f"{asked}function.name": "transfer_to_two", f"{asked}function.arguments": "{}"}
    rows = [
        row("w", kinds["AGENT"], scope=agents),
        row("a", {**kinds["AGENT"], "graph.node.id": "one"}, parent="w", scope=agents),
        row("m", {**kinds["LLM"], **call, "llm.output_messages.0.message.role": "assistant"}, parent="a", scope=agents),
        row("h", {**kinds["TOOL"], "output.value": "two"}, name="handoff to two", parent="a", scope=agents),
        row("b", {**kinds["AGENT"], "graph.node.id": "two", "graph.node.parent_id": "one"}, parent="w", scope=agents),
    ]  # fmt: skip
    before = job(*rows)
    assert before.capture["tools"].state == before.capture["children"].state == "present"
    rows[3] = {**rows[3], "attributes": rows[3]["attributes"].replace('"two"', f'"{MARK}"')} | note(
        "/attributes/output.value"
    )
    after = job(*rows)
    for one in after.walk():
        for kind in ("tools", "requests", "children", "approvals", "skills", "retrievals"):
            assert one.capture[kind].state != "present", (one.agent, kind)
    assert after.capture["tools"].reasons == ["redacted"]


def test_executed_arguments_that_are_gone_are_not_those_that_were_asked_for():
    """A person may have edited them in between."""
    found = redacted(refund(), t={**note("/attributes/gen_ai.tool.call.arguments"), **_attributes(MARK)})
    (call,) = found.tool_calls
    assert (call.arguments, call.arguments_capture) == (None, "malformed")
    assert (call.requested_arguments, call.requested_capture) == ({"to": "x", "amount": 50}, "present")


def _attributes(arguments: str) -> dict[str, Any]:
    """The tool's attributes with other arguments."""
    return {"attributes": refund(arguments)[2]["attributes"]}


def test_words_that_merely_look_alike_are_words():
    """Without a note nothing is a mark of ours: somebody may quote one."""
    assert job(*refund(answer=f"I wrote to {MARK}.")).capture["reply"].state == "present"


@pytest.mark.parametrize("value", [MARK, f"a {MARK} b", {"a": [1, MARK]}, [{"b": {"c": f"{MARK}!"}}]])
def test_marks_are_found_at_any_depth(value: Any):
    """In texts, lists and objects."""
    assert marked(value)
    assert not marked({"a": [1, "REDACTED", None]})
