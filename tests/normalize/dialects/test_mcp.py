"""MCP clients and servers."""

import json

from tests.normalize.spans import agent, job, row, seen, tool

CALL = {"mcp.method.name": "tools/call"}


def test_client_and_server_are_one_call_of_the_agents_tool() -> None:
    """Execution, client and server tell of one call; the server's failure is the call's."""
    failed = {**CALL, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", "error.type": "tool_error"}
    found = job(
        agent("a"),
        tool("x", "look", "c1", '{"n": 1}', parent="a"),
        row("c", CALL, name="MCP send tools/call look", kind=3, parent="x", scope="mcp-python-sdk"),
        row("s", failed, name="tools/call look", kind=2, parent="c", scope="mcp-python-sdk", error="", flags=0x300),
    )
    (call,) = found.tool_calls
    assert (call.name, call.call_id, call.arguments, call.state) == ("look", "c1", {"n": 1}, "failed")


def test_everything_but_a_call_is_noise() -> None:
    """Handshakes and listings tell of nothing that an agent did."""
    for method in ("initialize", "tools/list", "notifications/initialized"):
        assert seen(row("n", {"mcp.method.name": method}, name=method)).role == "noise"


def test_a_good_answer_may_report_a_failure() -> None:
    """`isError` in the answer is a failure, whatever the status."""
    answer = {"content": [{"type": "text", "text": "no such order"}], "isError": True}
    said = seen(row("c", {**CALL, "gen_ai.tool.call.result": json.dumps(answer)}, name="tools/call look"))
    assert said.result is not None
    assert (said.tool_failed, said.result.value) == (True, "no such order")


def test_openllmetry_writes_request_and_answer() -> None:
    """Arguments and result stand in attributes of its own."""
    held = {
        "mcp.request.argument": json.dumps({"name": "look", "arguments": {"n": 1}}),
        "mcp.response.value": json.dumps({"content": [{"type": "text", "text": '{"total": 5}'}], "isError": False}),
    }
    said = seen(row("c", held, name="tools/call"))
    facts = [fact.value for fact in (said.tool, said.arguments, said.result) if fact is not None]
    assert (said.role, facts) == ("tool", ["look", {"n": 1}, {"total": 5}])
