"""How much was captured, and why not more."""

from typing import Any

import pytest

from collector.tree import CAPTURE_KINDS, Job
from tests.normalize.spans import Row, agent, asks, chat, job, row, run, says, told, tool, user

CALL, ANSWER = asks(("c1", "look", {"x": 1})), told("c1", "ok")
RAN = tool("t", "look", "c1", {"x": 1}, "ok", parent="a")
COMPLETE = [
    chat("m", [user("hi")], [CALL], parent="a"),
    RAN,
    chat("n", [user("hi"), CALL, ANSWER], [says("Bye")], parent="a"),
]


def captured(root: Job, kind: str) -> tuple[str, list[str]]:
    """State and reasons of one kind."""
    return (root.capture[kind].state, root.capture[kind].reasons)


def test_every_job_tells_of_every_kind() -> None:
    """No kind is left out, in any job and over the run."""
    found = run(agent("a"), agent("b", "child", parent="a"))
    assert all(set(job.capture) == set(CAPTURE_KINDS) for job in found.root.walk())
    assert set(found.capture) == set(CAPTURE_KINDS)


def test_readable_outputs_of_all_model_calls_prove_the_list_of_calls() -> None:
    """Whoever sees everything that the model asked for knows what it did not ask for."""
    root = job(agent("a"), *COMPLETE)
    assert [root.capture[kind].state for kind in ("input", "reply", "tools", "tool_args", "tool_results")] == [
        "present"
    ] * 5


def test_content_that_is_off_proves_nothing() -> None:
    """Model calls without messages leave the list of calls unknown."""
    assert captured(job(agent("a"), chat("m", parent="a")), "tools") == ("absent", ["content_off"])


def test_one_unreadable_output_makes_the_list_partial() -> None:
    """A call may have been asked for in the message that nobody recorded."""
    rows = [chat("m", [user("x")], [says("y")], parent="a"), chat("n", parent="a")]
    assert captured(job(agent("a"), *rows), "tools")[0] == "partial"


def test_nothing_recorded_is_absent() -> None:
    """An agent's span alone promises nothing."""
    assert captured(job(agent("a")), "tools") == ("absent", ["not_recorded"])


@pytest.mark.parametrize(
    ("fields", "reason"), [({"dropped": 1}, "dropped"), ({"parent": "lost"}, "parent_missing"), ({"end": 0}, "running")]
)
def test_visible_loss_lessens_a_promise(fields: dict[str, Any], reason: str) -> None:
    """Dropped attributes, a missing parent or a job that goes on: the list may lack something."""
    assert captured(job(agent("a", **fields), *COMPLETE), "tools") == ("partial", [reason])


def test_arguments_that_cannot_be_read_are_malformed() -> None:
    """Cut-off arguments are there and unknown, not absent and not empty."""
    root = job(agent("a"), chat("m", [user("x")], [asks(("c1", "look", '{"x": "lo'))], parent="a"))
    assert captured(root, "tool_args") == ("malformed", ["unreadable_json"])
    assert (root.tool_calls[0].arguments, root.tool_calls[0].arguments_capture) == (None, "malformed")


def test_a_results_absence_is_told() -> None:
    """Of two calls that ran one has no result: partial."""
    rows: list[Row] = [*COMPLETE[:2], tool("u", "other", "c2", {}, None, parent="a")]
    assert captured(job(agent("a"), *rows), "tool_results")[0] == "partial"


def test_a_failed_job_lacks_its_reply_for_that_reason() -> None:
    """No reply is what a failure looks like, not a gap in the recording."""
    assert captured(job(agent("a", error="boom"), *COMPLETE), "reply") == ("absent", ["failed"])


def test_a_redacted_reply_is_malformed() -> None:
    """It was there, and it is hidden."""
    held = {"openinference.span.kind": "AGENT", "agent.name": "a", "output.value": "<REDACTED>"}
    root = job(agent("a", "a", held), chat("m", parent="a"))
    assert captured(root, "reply") == ("malformed", ["redacted"])


def test_cost_is_a_figure_and_no_content() -> None:
    """A model call without one was not recorded, whatever is switched on."""
    assert captured(job(agent("a"), chat("m", parent="a")), "cost") == ("absent", ["not_recorded"])


def test_the_users_own_declaration_counts() -> None:
    """`tracegrade.capture` promises what no dialect does."""
    root = job(agent("a", "a", {"tracegrade.capture": ["tools", "args"]}))
    assert [root.capture[kind].state for kind in ("tools", "tool_args", "reply")] == ["present", "present", "absent"]


def test_a_run_has_captured_what_the_least_of_its_jobs_has() -> None:
    """One job that cannot prove its calls makes the run's list partial."""
    found = run(agent("a"), *COMPLETE, agent("b", "child", parent="t", scope="another"))
    assert (found.root.capture["tools"].state, found.root.jobs[0].capture["tools"].state) == ("present", "absent")
    assert found.capture["tools"].state == "partial"
    assert found.capture["tools"].reasons == ["child_partial", "not_recorded"]


def test_model_calls_alone_prove_no_child_to_be_absent() -> None:
    """A loop that no span holds may have run other agents: nobody would have written them."""
    root = job(chat("m", [user("hi")], [says("Bye")]))
    assert (root.capture["tools"].state, captured(root, "children")) == ("present", ("absent", ["not_recorded"]))


def test_an_output_that_lacks_the_calls_it_announces_is_not_all() -> None:
    """It ended to call tools, and none is in it; a message without anything in it says nothing."""
    for message, more in (
        (says("Let me look."), {"gen_ai.response.finish_reasons": ["tool_calls"]}),
        ({"role": "assistant", "parts": []}, {}),
    ):
        assert job(agent("a"), chat("m", [user("hi")], [message], more, parent="a")).capture["tools"].state != "present"


def test_a_request_is_known_not_to_have_run_only_where_runs_are_recorded() -> None:
    """Another tool's span by the same instrumentation proves that this one would have had one; else the call is flagged."""
    asked = chat("m", [user("hi")], [CALL], parent="a")
    assert [call.flags for call in job(agent("a"), asked).tool_calls] == [["may_have_run"]]
    recorded = tool("u", "other", "c2", {}, "ok", parent="a")
    assert [call.flags for call in job(agent("a"), asked, recorded).tool_calls] == [[], []]


def test_a_loop_that_stops_within_a_turn_is_not_complete() -> None:
    """What is seen of it ends with a call that nobody answered."""
    assert captured(job(chat("m", [user("hi")], [CALL])), "tools") == ("partial", ["running"])


def test_an_agent_that_a_tool_ran_unseen_makes_children_partial() -> None:
    """CrewAI: the tool says to whom it gave work, and nothing that was done is there."""
    held = {"openinference.span.kind": "TOOL", "input.value": '{"coworker": "clerk"}', "output.value": "Done."}
    scope = "openinference.instrumentation.crewai"
    more = {**held, "tool.name": "Delegate work to coworker"}
    root = job(
        row("a", {"openinference.span.kind": "AGENT", "agent.name": "boss"}, name="boss._execute_core", scope=scope),
        row("d", more, parent="a", name="Delegate work to coworker.run", scope=scope),
    )
    assert (root.jobs, captured(root, "children")) == ([], ("partial", ["not_recorded"]))
