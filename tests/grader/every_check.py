"""Checks of every type about one capture, made from what its run really did: some that hold, some that do not."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from collector.tree import CAPTURE_KINDS, Job, Run
from grader.forms import Defaults
from grader.outcome import Truth
from grader.pieces import forms
from grader.scene import Primitive, Scene
from grader.schema import any_item
from tests.captures import load

STATES = ("attempted", "executed", "succeeded", "failed", "denied")
ENDINGS = ("completed", "failed", "awaiting_approval", "cancelled")
DECIDERS = ("human", "policy", "any")
MODES = ("waited", "fire_and_forget", "pass_control")
NEVER = "erase_everything"
"""The name of a tool, an agent and a phrase that no capture knows."""


class Check(NamedTuple):
    """One item of a suite, and what it compiles to."""

    item: dict[str, Any]
    primitive: Primitive

    def decide(self, run: Run) -> Truth:
        """Its answer about a run."""
        return self.primitive.decide(Scene(run)).truth


@cache
def checks(name: str) -> tuple[Check, ...]:
    """All of them for one capture."""
    any_item()
    known = forms()
    items = list(_items(name))
    return tuple(
        Check(item, known[next(key for key in item if key in known)].model_validate(item).compile(Defaults()))
        for item in items
    )


def _items(name: str) -> Iterator[dict[str, Any]]:
    capture = load(name)
    jobs = [job for run in capture.trees() for job in run.root.walk()]
    truth = capture.truth
    calls = [(call["name"], call["arguments"]) for call in truth["tool_calls"]]
    calls += [(call.name, call.arguments) for job in jobs for call in job.tool_calls]
    tools = sorted({tool for tool, _ in calls})[:6]
    for tool in (*tools, NEVER):
        yield from _about_a_tool(tool, next((given for name, given in calls if name == tool and given), None))
    for one, other in zip(tools, (*tools[1:], NEVER), strict=False):
        for first, second in ((one, other), (other, one), (one, one)):
            yield {"in_order": [first, second]}
            yield {"every": first, "preceded_by": second}
    yield from _about_all_calls([tool for tool, _ in calls][:6], jobs)
    yield from _about_words([truth["reply"], *(job.reply for job in jobs)])
    yield from _about_limits(jobs)
    yield from _about_facts()
    for ending in ENDINGS:
        yield {"status": ending}
    yield {"status": ["failed", "cancelled"], "error_contains": "e"}
    for kind in CAPTURE_KINDS:
        yield {"captured": kind}
    for agent in sorted({*truth["child_agents"], *(job.agent for job in jobs if job.agent), NEVER}):
        yield from _about_a_child(agent, tools)
    for depth in (0, 1):
        yield {"constraints_reach": depth, "constraints": ["only once"]}


def _about_a_tool(tool: str, given: Any) -> Iterator[dict[str, Any]]:
    for state in STATES:
        yield {"called": tool, "state": state}
        yield {"not_called": tool, "state": state}
        yield {"called": tool, "state": state, "times": 1}
        yield {"called": tool, "state": state, "times": {"max": 1}}
    for scope in ("job", "tree"):
        yield {"called": tool, "scope": scope, "times": 0}
        yield {"called": tool, "scope": scope, "times": 2}
    for arguments in (given, {"order_id": NEVER}):
        if isinstance(arguments, dict) and arguments:
            yield {"called": tool, "with": arguments}
            yield {"called": tool, "with_exactly": arguments}
            yield {"called": tool, "with": arguments, "times": {"max": 0}}
            yield {"not_called": tool, "with": arguments}
            yield {"every": tool, "with": arguments, "preceded_by": NEVER}


def _about_all_calls(called: list[str], jobs: list[Job]) -> Iterator[dict[str, Any]]:
    for match in ("exactly", "at_least", "at_most"):
        for made in (called, called[:1], [call.name for job in jobs for call in job.tool_calls], [NEVER]):
            if made:
                yield {"calls": made, "match": match}
                yield {"calls": made, "match": match, "state": "executed"}
    for tool in sorted({*called, NEVER}):
        yield from (
            {"approved": tool, "by": by, "state": state} for by in DECIDERS for state in ("attempted", "executed")
        )
        yield {"expr": f'"{tool}" in tools'}
        yield {"expr": f'"{tool}" not in tools'}
        yield {"cel": f"!tool_calls.exists(c, c.name == '{tool}')"}
    skills = sorted({skill.name for job in jobs for skill in job.skills} | {NEVER})
    yield from ({"skills_read": skill, "declared": strict} for skill in skills for strict in (False, True))


FACTS = (
    "not error", "error is null", "status == 'completed'", "not output", "output != 'x'", "not context.x", "seconds < 1",
    "model_calls == 0", "calls < 3", "cost_usd == 0", "not skills_read", "not tool_calls", "input != 'x'", "agent != 'x'",
)  # fmt: skip


def _about_facts() -> Iterator[dict[str, Any]]:
    for fact in FACTS:
        for scope in ("job", "tree"):
            yield {"expr": fact, "scope": scope}
    for fact in (
        "size(tools) < 3",
        "size(skills_read) == 0",
        "model_calls < 2 || calls < 2",
        "error == null",
        "seconds < 1.0",
    ):
        yield {"cel": fact}


def _about_words(replies: list[Any]) -> Iterator[dict[str, Any]]:
    said = sorted({reply.strip() for reply in replies if isinstance(reply, str) and reply.strip()})[:3]
    for words in (*said, NEVER):
        yield {"reply": {"contains": words}}
        yield {"reply": {"excludes": words}}
    yield {"reply": {"regex": "^[A-Z]"}}
    yield {"reply": {"excludes_regex": "[a-z]"}}
    for words in (0, 1, 5, 50):
        yield {"reply": {"max_words": words}}
        yield {"reply": {"min_words": words}}
    yield {"json": {"nonempty": True}}
    yield {"json": {"schema": {"type": "object"}}}
    yield {"json": {"path": "status", "equals": "issued"}}


def _about_limits(jobs: list[Job]) -> Iterator[dict[str, Any]]:
    models = [call for job in jobs for call in job.model_calls]
    tools = sum(len(job.tool_calls) for job in jobs)
    spent = {fact: sum(getattr(c, fact) or 0 for c in models) for fact in ("input_tokens", "output_tokens", "cost_usd")}
    for less in (0, 1):
        yield {"limits": {"tool_calls": max(0, tools - less)}}
        yield {"limits": {"model_calls": max(0, len(models) - less)}}
        yield {"limits": {"input_tokens": max(0, spent["input_tokens"] - less)}}
        yield {"limits": {"output_tokens": max(0, spent["output_tokens"] - less)}}
        yield {"limits": {"usd": max(0, spent["cost_usd"] - less)}}
        yield {"limits": {"tool_calls": max(0, tools - less)}, "state": "executed"}
    yield {"limits": {"same_call": 1}}
    yield from ({"limits": {"seconds": most}} for most in (0, 0.001, 0.1, 3600))


def _about_a_child(agent: str, tools: list[str]) -> Iterator[dict[str, Any]]:
    yield {"child": agent}
    yield {"child": agent, "triggered": 1}
    yield {"child": agent, "triggered": {"max": 0}}
    yield from ({"child": agent, "mode": mode} for mode in MODES)
    yield from ({"child": agent, "payload": cond} for cond in ("payload != 'x'", "not payload", "payload_raw != 'x'"))
    for tool in tools:
        yield {"child": agent, "expect": [{"called": tool}]}
        yield {"child": agent, "expect": [{"not_called": tool}, {"status": "completed"}]}
        yield {"child": agent, "triggered": {"max": 1}, "expect": [{"not_called": tool}]}
