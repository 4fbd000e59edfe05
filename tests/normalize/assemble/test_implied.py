"""Jobs without spans of their own, and spans of jobs that are none."""

from tests.normalize.spans import agent, asks, chat, job, says, tool, user

LOOP = (
    chat("m2", [user("find it")], [asks(("c2", "look", {"i": 1}))], parent="x"),
    tool("y", "look", "c2", {"i": 1}, "ok", parent="x"),
    chat("m3", [user("find it")], [says("found")], parent="x"),
)


def test_a_loop_within_a_tool_is_an_agent() -> None:
    """A model below a tool asked for a tool that ran below it, too: that is a job between, without a name."""
    root = job(
        agent("a"),
        chat("m", [user("Hi")], [asks(("c1", "research", {"t": "x"}))], parent="a"),
        tool("x", "research", "c1", {"t": "x"}, "found", parent="a"),
        *LOOP,
    )
    (child,) = root.jobs
    assert [call.name for call in root.tool_calls] == ["research"]
    assert (child.agent, child.via, child.input, child.reply) == (None, "tool", "find it", "found")
    assert [call.name for call in child.tool_calls] == ["look"]


def test_a_misplaced_model_call_is_no_agent() -> None:
    """The caller's own next model call may stand below the tool: it was given the tool's call."""
    history = [user("Hi"), asks(("c1", "research", {"t": "x"}))]
    root = job(
        agent("a"),
        chat("m", history[:1], history[1:], parent="a"),
        tool("x", "research", "c1", {"t": "x"}, "found", parent="a"),
        chat("m2", history, [asks(("c2", "look", {"i": 1}))], parent="x"),
        tool("y", "look", "c2", {"i": 1}, "ok", parent="x"),
    )
    assert root.jobs == []
    assert [call.name for call in root.tool_calls] == ["research", "look"]


def test_a_model_call_within_a_tool_is_no_agent() -> None:
    """A tool may ask a model for something, be it through a span that calls itself an agent and names nobody."""
    held = {"gen_ai.operation.name": "invoke_agent"}
    for between in ((), (agent("b", "", held, parent="x"),)):
        root = job(
            agent("a"),
            tool("x", "summarize", "c1", {}, "short", parent="a"),
            *between,
            chat("m", [user("long")], [says("short")], parent="b" if between else "x"),
        )
        assert root.jobs == []
        assert len(root.model_calls) == 1
