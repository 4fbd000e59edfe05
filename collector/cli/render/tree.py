"""A run as a tree for the terminal: jobs, calls with what went in and came out, approvals, gaps in capture."""

from collections.abc import Iterator

from rich.text import Text
from rich.tree import Tree

from collector.cli.render.conversation import add_conversation
from collector.cli.render.text import brief, duration
from collector.printable import clean
from collector.tree import Approval, Capture, Job, ModelCall, Run, ToolCall

STYLES = {
    "completed": "green",
    "succeeded": "green",
    "answered": "green",
    "failed": "red",
    "denied": "yellow",
    "awaiting_approval": "yellow",
    "cancelled": "yellow",
    "requested": "yellow",
    "running": "cyan",
}


def run_tree(run: Run, *, messages: bool = False) -> Tree:
    """The whole run; each line is cut at the width of the console that prints it, but for messages: those are folded."""
    about = [run.service, run.case_name and f"case: {run.case_name}", run.batch and f"batch: {run.batch}"]
    head = line(("run ", "dim"), (clean(run.id), "bold"), *((f" · {clean(part)}", "") for part in about if part))
    head.append(" · open" if run.open else "", "cyan")
    top = Tree(head, guide_style="dim")
    for member in run.members[1:]:
        top.add(line(("joined ", "dim"), clean(member.trace_id), (f" ({clean(member.reason)})", "dim")))
    add_job(top, run.root, {}, messages=messages)
    return top


def line(*parts: str | tuple[str, str]) -> Text:
    """Text on one line, cut with an ellipsis where the console ends."""
    text = Text(no_wrap=True, overflow="ellipsis")
    for part in parts:
        text.append(*((part, "") if isinstance(part, str) else part))
    return text


def add_job(parent: Tree, job: Job, known: dict[str, Capture], *, messages: bool = False) -> None:
    """The job with its facts as branches; gaps in capture that its parent job has too (`known`) are not repeated."""
    branch = parent.add(_job_line(job))
    for text in job.constraints or ():
        branch.add(line(("constraint ", "magenta"), brief(text)))
    if job.input is not None:
        branch.add(line(("input ", "bold"), brief(job.input)))
    waiting = list(job.jobs)
    for call in job.tool_calls:
        twig = branch.add(_call_line(call))
        for child in [c for c in waiting if _belongs(c, call)]:
            waiting.remove(child)
            add_job(twig, child, job.capture, messages=messages)
    for child in waiting:
        add_job(branch, child, job.capture, messages=messages)
    for text in _facts(job, known):
        branch.add(text)
    if job.reply is not None:
        branch.add(line(("reply ", "bold"), brief(job.reply)))
    if messages and job.messages:
        add_conversation(branch, job.messages)


def _job_line(job: Job) -> Text:
    mode = job.delegation.mode if job.delegation else None
    how = "" if job.via == "root" else f" · {mode or job.via}" if job.via == "tool" else f" · {job.via}"
    took = duration(job.ended - job.started) if job.started is not None and job.ended is not None else ""
    name = (clean(job.agent), "bold") if job.agent else ("agent not named", "dim")
    text = line(("job ", "dim"), name, " · ", (job.status, STYLES.get(job.status, "dim")), (how, "dim"))
    text.append(f" · {took}" if took else "", "dim")
    text.append(f" · {brief(job.error)}" if job.error else "", "red")
    return text


def _call_line(call: ToolCall) -> Text:
    text = line((clean(call.name), "cyan"), " ")
    text.append("not captured" if call.arguments_capture == "absent" else brief(call.arguments), "dim")
    text.append(f" · {call.state}", STYLES[call.state])
    text.append(f" after {call.attempts} attempts" if call.attempts > 1 else "", "yellow")
    if call.error is not None:
        text.append(f": {brief(call.error)}", "red")
    elif call.result is not None:
        text.append(" → ")
        text.append(brief(call.result))
    return text


def _belongs(child: Job, call: ToolCall) -> bool:
    edge = child.delegation
    return edge is not None and edge.call_id is not None and edge.call_id == call.call_id


def _facts(job: Job, known: dict[str, Capture]) -> Iterator[Text]:
    for skill in job.skills:
        yield line(
            ("skill ", "magenta"), clean(skill.name), (f" {clean(skill.resource)}" if skill.resource else "", "dim")
        )
    for retrieval in job.retrievals:
        yield line(("retrieval ", "magenta"), brief(retrieval.query or ""), f" → {len(retrieval.documents)} documents")
    for approval in job.approvals:
        yield _approval_line(approval)
    if job.model_calls:
        yield _models_line(job.model_calls)
    if job.steps:
        yield line((f"{job.steps} other step{'s' if job.steps > 1 else ''}", "dim"))
    if gaps := _gaps(job.capture, known):
        yield line(("capture ", "dim"), (gaps, "dim"))


def _approval_line(approval: Approval) -> Text:
    style = {"approve": "green", "edit": "green", "reject": "red"}.get(approval.decision, "yellow")
    text = line(("approval ", "magenta"), clean(approval.tool or "?"), " · ", (approval.decision, style))
    text.append(f" by {approval.source}" if approval.source != "unknown" else "", "dim")
    text.append(f": {brief(approval.reason)}" if approval.reason else "")
    return text


def _models_line(calls: list[ModelCall]) -> Text:
    models = ", ".join(dict.fromkeys(clean(call.model or "model not named") for call in calls))
    text = line(("model ", "dim"), models, (f" · {len(calls)} call{'s' if len(calls) > 1 else ''}", "dim"))
    tokens = [c.input_tokens for c in calls], [c.output_tokens for c in calls]
    if any(n is not None for column in tokens for n in column):
        into, out = (sum(n or 0 for n in column) for column in tokens)
        text.append(f" · {into} tokens in, {out} out", "dim")
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    text.append(f" · ${sum(costs):.4f}" if costs else "", "dim")
    return text


def _gaps(capture: dict[str, Capture], known: dict[str, Capture]) -> str:
    """`partial: tools (truncated); absent: approvals, cost (not_recorded)`, the more telling states first."""
    groups: dict[tuple[str, str], list[str]] = {}
    for state in ("malformed", "partial", "absent"):
        for kind, found in capture.items():
            if found.state == state and (kind not in known or known[kind].state != state):
                groups.setdefault((state, clean(", ".join(found.reasons))), []).append(kind)
    return "; ".join(f"{s}: {', '.join(kinds)}{why and f' ({why})'}" for (s, why), kinds in groups.items())
