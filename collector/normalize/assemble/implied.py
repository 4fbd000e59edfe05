"""Jobs that have no span of their own, told by the spans around them: each gets a node that stands for it.

A tool that runs an agent (`runs`, or a loop of calls below it shows it) with activity directly below it: the agent's job
lies between. A run in which agents take turns (`turn`) without spans of their own: a turn's spans are that agent's job;
where all turns are one agent's, the run is. The other way round, a nameless job within another that is a single model call
is none.
"""

from collections.abc import Iterator
from dataclasses import replace

from collector.normalize.assemble.draft import ACTIVE
from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import Sighting, say
from collector.normalize.messages import Message, Part
from collector.normalize.values import Value


def imply(walked: list[list[Node]]) -> None:
    """Insert the nodes, before jobs are looked for."""
    for nodes in walked:
        for node in nodes:
            role = node.said.role
            if role == "tool" and node.children:
                _run_within(node)
            elif role == "job" or node.span is None:
                if any(child.said.turn is not None for child in node.children):
                    _take_turns(node)
                elif node.span is None:
                    continue
                elif node.said.agent is None and _one_call(node):
                    node.said.role = "step"


def _run_within(tool: Node) -> None:
    whole = all(child.span is not None for child in tool.children)  # else what is missing may be the job's span
    if whole and (tool.said.runs is not None or _loops(tool)):
        _run_by_tool(tool, tool.said.runs)


def _one_call(job: Node) -> bool:
    """Whether a job without a name, within another, is no more than one model call (a bare `generateText` in a tool)."""
    models, stack = 0, list(job.children)
    while stack:
        node = stack.pop()
        if node.role in ("job", "workflow", "tool", "handoff"):
            return False
        models += node.role == "model"
        stack.extend(() if node.role == "model" else node.children)
    return models == 1 and any(above.role == "job" for above in job.ancestors())


def _loops(tool: Node) -> bool:
    """Whether an agent's loop runs within the tool: a model call below it asked for a tool that ran below it, too.

    Where such a model call was given the tool's own call, it is the caller's next one, misplaced by a broken context.
    """
    inner = list(_within(tool))
    models = [node for node in inner if node.role == "model"]
    if not models:
        return False
    asked = {key for node in models for part in _calls(node.said.messages_out) for key in (part.id, part.name) if key}
    given = {key for node in models for part in _calls(node.said.messages_in) for key in (part.id, part.name) if key}
    own = {value.value for value in (tool.said.call_id, tool.said.tool) if value is not None}
    ran = {
        value.value for node in inner if node.role == "tool" for value in (node.said.call_id, node.said.tool) if value
    }
    return bool(asked & ran) and not own & given


def _within(tool: Node) -> Iterator[Node]:
    """The nodes below the tool that no job and no tool of their own holds."""
    stack = list(tool.children)
    while stack:
        node = stack.pop()
        if node.role not in ("job", "workflow"):
            yield node
            if node.role != "tool":
                stack.extend(node.children)


def _calls(messages: list[Message] | None) -> Iterator[Part]:
    for message in messages or ():
        yield from message.calls()


def _run_by_tool(tool: Node, agent: Value | None) -> None:
    """The tool's children become those of the agent that it runs, unless that has a span."""
    stack = list(tool.children)
    active = False
    while stack:
        node = stack.pop()
        if node.role in ("job", "workflow"):
            return
        active = active or node.role in ACTIVE
        if node.role != "tool":
            stack.extend(node.children)
    if active:
        reply = tool.said.result if agent is not None else None
        told = tool.said
        said = Sighting("job", told.dialects, told.proves, agent=agent, output=reply)
        _insert(tool, tool.children, said, 0)


def _take_turns(run: Node) -> None:
    turns: list[tuple[Value | None, list[Node]]] = []
    handed = False
    for child in run.children:
        turn = child.said.turn
        now = turns[-1][0] if turns else None
        if not turns or (turn is not None and (handed if now is None else now != turn)):
            turns.append((turn, []))
            handed = False
        elif turn is not None and now is None:
            turns[-1] = (turn, turns[-1][1])
        handed = handed or child.said.handed_to is not None  # the turn of somebody else, even if nothing says whose
        turns[-1][1].append(child)
    if len(turns) == 1 and run.span is not None:
        say(run.said, "agent", turns[0][0])
        return
    if run.span is not None:
        run.said.role = "workflow"
    for number, (agent, nodes) in enumerate(turns):
        said = Sighting("job", run.said.dialects, run.said.proves, agent=agent)
        _insert(run, nodes, said, number)


def _insert(parent: Node, children: list[Node], said: Sighting, number: int) -> None:
    """A node between the parent and some of its children; its span lasts as long as they do.

    It is named after the parent's span, which does not change when one of the children is lost.
    """
    spans = [child.span for child in children if child.span]
    ends = [span.end for span in spans]
    node = Node(None, said, parent, implied=True)
    if spans:
        end = max(ends) if all(ends) else 0
        name = f"{parent.id or spans[0].parent_id}:{number}"  # a lost parent's id is known from its children
        blank = replace(spans[0], attributes={}, events=[], links=[], status_message="")
        node.span = replace(blank, span_id=name, end=end, failed=False, ok=False)
    node.children = list(children)
    at = parent.children.index(children[0])
    moved = set(map(id, children))
    parent.children = [*parent.children[:at], node, *(c for c in parent.children[at:] if id(c) not in moved)]
    for child in children:
        child.parent = node
