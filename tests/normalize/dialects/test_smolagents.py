"""smolagents through OpenInference."""

import json
from typing import Any

from collector.normalize.messages import Message
from collector.tree import Job
from tests.normalize.spans import Row, job, row, seen

SCOPE = "openinference.instrumentation.smolagents"


def span(span_id: str, kind: str, name: str, held: dict[str, Any], parent: str | None = None) -> Row:
    """A span of OpenInference's."""
    return row(span_id, {"openinference.span.kind": kind, **held}, name=name, parent=parent, scope=SCOPE)


def run_of(span_id: str, name: str, task: str, parent: str | None = None) -> Row:
    """An agent's run."""
    return span(span_id, "AGENT", name, {"input.value": json.dumps({"task": task}), "output.value": "done"}, parent)


def tool(name: str, args: list[Any], kwargs: dict[str, Any], parameters: dict[str, Any]) -> Row:
    """A tool's span, which is named after its class."""
    given = json.dumps({"args": args, "sanitize_inputs_outputs": True, "kwargs": kwargs})
    held = {"tool.name": name, "input.value": given, "tool.parameters": json.dumps(parameters), "output.value": "5"}
    return span("x", "TOOL", "SimpleTool", held, "a")


def test_the_agents_name_stands_in_the_spans_name() -> None:
    """`clerk.run` names the clerk; a class's name names nobody."""
    assert job(run_of("a", "clerk.run", "refund it")).agent == "clerk"
    assert job(run_of("a", "CodeAgent.run", "refund it")).agent is None


def test_positional_arguments_take_the_parameters_names() -> None:
    """A code agent calls tools as Python does."""
    said = seen(tool("look", ["A"], {"n": 1}, {"order_id": {}, "n": {}}))
    assert said.arguments is not None
    assert said.arguments.value == {"order_id": "A", "n": 1}
    lost = seen(tool("look", ["A"], {}, {}))
    assert lost.arguments is not None
    assert (lost.arguments.state, lost.arguments.reason) == ("malformed", "argument_names_lost")


def test_the_final_answer_is_no_call() -> None:
    """`final_answer` is how the reply is given."""
    found = job(run_of("a", "clerk.run", "refund it"), tool("final_answer", ["done"], {}, {"answer": {}}))
    assert (found.tool_calls, found.reply) == ([], "done")


def test_a_managed_agent_is_a_call_without_a_tool_span() -> None:
    """Its own span is the call's execution; its task is what the manager asked."""
    wrapped = "You're a helpful agent named 'finder'.\n---\nTask:\nfind it\n---\nAnswer in full."
    found = job(run_of("a", "boss.run", "help"), run_of("b", "finder.run", wrapped, "a"))
    (call,), (child,) = found.tool_calls, found.jobs
    assert (call.name, call.arguments, call.state) == ("finder", {"task": "find it"}, "succeeded")
    assert (child.agent, child.input, child.via) == ("finder", "find it", "tool")


def test_history_tells_calls_and_results_as_text() -> None:
    """The only call before an observation is the one that it answers."""
    told = [("tool-call", "Calling tools:\n[{'id': 'c1', 'function': {'name': 'look', 'arguments': {'n': 1}}}]")]
    told.append(("tool-response", "Observation:\nfound"))
    held = {
        f"llm.input_messages.{i}.message.{k}": v
        for i, m in enumerate(told)
        for k, v in zip(("role", "content"), m, strict=True)
    }
    asked, answered = seen(span("m", "LLM", "OpenAIModel.generate", held)).messages_in or [Message("")] * 2
    assert [(part.id, part.name) for part in asked.calls()] == [("c1", "look")]
    assert [(part.id, part.value.value if part.value else None) for part in answered.parts] == [("c1", "found")]


def answering(answer: Any, result: str | None) -> Job:
    """An agent's run without an output of its own, in which the model gives its final answer, and the tool for it ran."""
    call = {"name": "final_answer", "arguments": json.dumps(answer)}
    prefix = "llm.output_messages.0.message"
    made = {f"{prefix}.role": "assistant", f"{prefix}.tool_calls.0.tool_call.id": "c1"}
    made |= {f"{prefix}.tool_calls.0.tool_call.function.{key}": value for key, value in call.items()}
    given = {"input.value": json.dumps({"task": "refund it"})}
    told = {"tool.name": "final_answer"} | ({} if result is None else {"output.value": result})
    return job(
        span("a", "AGENT", "clerk.run", given),
        span("m", "LLM", "OpenAIModel.generate", made, "a"),
        span("t", "TOOL", "FinalAnswerTool", told, "a"),
    )


def test_the_final_answers_only_argument_is_the_reply() -> None:
    """As where the agent's span tells it: the words, no object around them."""
    assert answering({"answer": "Done."}, None).reply == "Done."
    assert answering({"answer": {"id": 5}}, None).reply == {"id": 5}
    assert answering({"id": 5}, None).reply == {"id": 5}


def coded(**told: str) -> Job:
    """A code agent's run without an output of its own: the model's words are code, and the tool gives the answer."""
    held = {
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "final_answer(r)",
    }
    return job(
        span("a", "AGENT", "clerk.run", {"input.value": json.dumps({"task": "refund it"})}),
        span("m", "LLM", "OpenAIModel.generate", dict(held), "a"),
        span("t", "TOOL", "FinalAnswerTool", {"tool.name": "final_answer", **told}, "a"),
    )


def test_a_code_agents_code_is_no_reply() -> None:
    """What the tool for the final answer returned is; without it there is none."""
    assert coded(**{"output.value": "Done."}).reply == "Done."
    assert coded().reply is None
