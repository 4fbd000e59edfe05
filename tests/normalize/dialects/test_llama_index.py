"""LlamaIndex through OpenInference: workflows of agents."""

import json
from typing import Any

from collector.tree import Run
from tests.normalize.spans import Row, job, row, runs, seen

SCOPE = "openinference.instrumentation.llama_index"
CONFIGURATION = {"init_state": {"config": {"steps": {"run_agent_step": {}, "call_tool": {}}}}}


def step(span_id: str, name: str, given: Any, parent: str | None = "a", kind: str = "CHAIN", **held: Any) -> Row:
    """A step's span."""
    facts = {"openinference.span.kind": kind, "input.value": json.dumps(given)}
    return row(span_id, facts | held, name=name, parent=parent, scope=SCOPE)


def turn(span_id: str, agent: str) -> Row:
    """The step at which an agent's turn begins."""
    event = f"AgentInput(input=[ChatMessage(role=<MessageRole.USER: 'user'>, blocks=[])], current_agent_name={agent!r})"
    return step(span_id, "AgentWorkflow.setup_agent", {"ctx": "<C object at 0x1>", "ev": event})


def call(span_id: str, name: str, given: dict[str, Any], answer: Any) -> list[Row]:
    """A tool's call: the step, and the tool's span in it."""
    event = f"ToolCall(tool_name={name!r}, tool_kwargs={given!r}, tool_id='call_{span_id}')"
    made = json.dumps({"tool_name": name, "raw_output": answer, "is_error": False})
    kwargs = {"kwargs": {**given, "ctx": "<llama.Context object at 0x7f>"}}
    return [
        step(span_id, "AgentWorkflow.call_tool", {"ev": event}),
        step(span_id + "t", "FunctionTool.acall", kwargs, span_id, "TOOL", **{"tool.name": name, "output.value": made}),
    ]


def test_a_run_of_agents_is_a_job_and_takes_its_agents_name() -> None:
    """The name stands in the steps; the run's own values are configuration and a cut-off repr."""
    found = job(
        step("a", "FunctionAgent.run", CONFIGURATION, None),
        turn("b", "clerk"),
        *call("c", "look", {"n": 1}, {"total": 5}),
    )
    (made,) = found.tool_calls
    assert (found.agent, found.input) == ("clerk", None)
    assert (made.name, made.call_id, made.arguments, made.result) == ("look", "call_c", {"n": 1}, {"total": 5})


def test_another_workflow_is_no_agent() -> None:
    """A workflow without the step of an agent is a step."""
    assert seen(step("a", "Indexing.run", {"init_state": {}}, None)).role == "step"


def test_agents_take_turns_without_spans() -> None:
    """Each turn is a job; the tool `handoff` passes control."""
    found = job(
        step("a", "AgentWorkflow.run", CONFIGURATION, None),
        turn("b", "boss"),
        *call("c", "handoff", {"to_agent": "finder", "reason": "find it"}, "handed over"),
        turn("d", "finder"),
        *call("e", "look", {"n": 1}, "found"),
    )
    (child,) = found.jobs
    assert (found.agent, [c.name for c in found.tool_calls]) == ("boss", ["handoff"])
    assert (child.agent, child.via, [c.name for c in child.tool_calls]) == ("finder", "handoff", ["look"])


def test_preparing_a_chat_is_no_model_call() -> None:
    """OpenInference gives it the kind LLM."""
    assert seen(step("p", "OpenAI._prepare_chat_with_tools", {}, None, "LLM")).role == "step"


def test_a_call_whose_event_is_cut_off_is_told_by_the_tools_span() -> None:
    """An unreadable event makes its step a step."""
    assert seen(step("c", "X.call_tool", {"ev": "ToolCall(tool_name='lo"}, None)).role == "step"


def team(*lost: str) -> list[Run]:
    """A run in which one agent hands over to another; some spans are lost."""
    rows = [
        step("a", "AgentWorkflow.run", CONFIGURATION, None),
        turn("b", "manager"),
        *call("c", "handoff", {"to_agent": "clerk", "reason": "r"}, "ok"),
        turn("d", "clerk"),
        *call("e", "look", {"id": 7}, "ok"),
    ]
    return runs(*(held for held in rows if held["span_id"] not in lost))


def test_what_handed_over_was_another_agents_turn() -> None:
    """Without the step at which the first turn began, that agent has no name: never the name of who took over."""
    (found,) = team("b")
    (child,) = found.root.jobs
    assert (found.root.agent, child.agent, [c.name for c in child.tool_calls]) == (None, "clerk", ["look"])


def test_turns_are_told_without_the_runs_span() -> None:
    """They are jobs under the ids that they have in the whole trace."""
    (whole,), (found,) = team(), team("a")
    assert (found.root.agent, [job.agent for job in found.root.jobs]) == ("manager", ["clerk"])
    assert [job.id for job in found.root.jobs] == [job.id for job in whole.root.jobs]


def test_reprs_are_nobodys_words() -> None:
    """The outer span of a model call holds its messages as reprs: read as text they would be words of the user."""
    reprs = {"messages": ["ChatMessage(role=<MessageRole.USER: 'user'>, blocks=[])"]}
    found = seen(step("m", "OpenAI.achat", reprs, kind="LLM"))
    assert (found.role, found.messages_in) == ("model", None)
