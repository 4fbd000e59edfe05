"""A run as a tree in the terminal."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from collector.cli.render.tree import run_tree
from collector.tree import Approval, Capture, Delegation, Job, Member, ModelCall, Retrieval, Run, SkillRead, ToolCall


def call(name: str, **facts: Any) -> ToolCall:
    """A call whose arguments were captured."""
    known: dict[str, Any] = {"arguments": {}, "arguments_capture": "present", "state": "succeeded"}
    return ToolCall(name=name, **(known | facts))


def printed(root: Job, width: int = 100, **facts: Any) -> str:
    """The tree as a console of this width shows it, without colours."""
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(run_tree(Run(id="run-1", root=root, **facts)))
    return capture.get()


def test_calls_show_state_arguments_and_result() -> None:
    """A line a call: what went in, how it ended, and what came out or went wrong."""
    shown = printed(
        Job(
            id="j",
            trace_id="t",
            agent="support",
            status="completed",
            input="Refund it",
            reply="Done",
            started=0,
            ended=1_500_000_000,
            tool_calls=[
                call("lookup", arguments={"id": "A"}, result={"total": 50}),
                call("refund", state="failed", error="card\nnetwork", attempts=2),
                ToolCall(name="mail", state="denied"),
            ],
        ),
        service="shop",
        case_name="refunds",
    )
    assert shown.splitlines() == [
        "run run-1 · shop · case: refunds",
        "└── job support · completed · 1.5 s",
        "    ├── input Refund it",
        '    ├── lookup {"id": "A"} · succeeded → {"total": 50}',
        "    ├── refund {} · failed after 2 attempts: card\\nnetwork",
        "    ├── mail not captured · denied",
        "    └── reply Done",
    ]


def test_a_child_stands_below_the_call_that_asked_for_it() -> None:
    """A job that a tool call triggered is below that call, and a child by other ways is below the job."""
    asked = Job(
        id="c", trace_id="t", agent="policy", via="tool", status="completed", constraints=["EU only"],
        delegation=Delegation(mode="waited", call_id="call_1"),
    )  # fmt: skip
    handed = Job(id="d", trace_id="t", agent="refunds", via="handoff", delegation=Delegation())
    root = Job(id="j", trace_id="t", tool_calls=[call("ask", call_id="call_1")], jobs=[handed, asked])
    assert printed(root).splitlines()[1:] == [
        "└── job agent not named · unknown",
        "    ├── ask {} · succeeded",
        "    │   └── job policy · completed · waited",
        "    │       └── constraint EU only",
        "    └── job refunds · unknown · handoff",
    ]


def test_approvals_skills_retrievals_models_and_steps() -> None:
    """The other facts of a job each have a line."""
    root = Job(
        id="j",
        trace_id="t",
        approvals=[Approval(tool="refund", decision="reject", source="human", reason="too much")],
        skills=[SkillRead(name="refund-policy", resource="limits.md")],
        retrievals=[Retrieval(query="refunds", documents=[{"id": "1"}, {"id": "2"}])],
        model_calls=[ModelCall(model="m-1", input_tokens=10, output_tokens=2, cost_usd=0.5), ModelCall(model="m-1")],
        steps=3,
    )
    shown = printed(root)
    assert "approval refund · reject by human: too much" in shown
    assert "skill refund-policy limits.md" in shown
    assert "retrieval refunds → 2 documents" in shown
    assert "model m-1 · 2 calls · 10 tokens in, 2 out · $0.5000" in shown
    assert "3 other steps" in shown


def test_gaps_in_capture_are_said_once() -> None:
    """Absent, partial and malformed kinds are listed with their reasons, and a child repeats none of its parent's."""
    gone, part = Capture("absent"), Capture("partial", ["truncated"])
    child = Job(id="c", trace_id="t", capture={"cost": gone, "tools": gone})
    root = Job(
        id="j", trace_id="t", jobs=[child], capture={"cost": gone, "tools": part, "reply": Capture("present")}
    )  # fmt: skip
    shown = printed(root)
    assert "capture partial: tools (truncated); absent: cost" in shown
    assert "capture absent: tools\n" in shown


def test_joined_traces_say_why() -> None:
    """Each further trace of a run stands with the reason of its join."""
    members = [Member("a" * 32, "root"), Member("b" * 32, "link")]
    assert f"joined {'b' * 32} (link)" in printed(Job(id="j", trace_id="a"), members=members)


@given(st.text(), st.text(), st.text(), st.integers(30, 120))
def test_any_text_fits_and_is_harmless(agent: str, tool: str, result: str, width: int) -> None:
    """Whatever a trace holds, each line fits the terminal and none steers it (X-09)."""
    root = Job(id="j", trace_id="t", agent=agent, error=result, tool_calls=[call(tool, result=result)], reply=result)
    shown = printed(root, width, service=agent)
    assert all(cell_len(line) <= width for line in shown.split("\n"))
    assert not any(c < " " and c != "\n" for c in shown)
