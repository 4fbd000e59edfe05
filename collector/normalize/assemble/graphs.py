"""Which of the spans that a graph framework writes are graphs, and so jobs (LangGraph).

Every node of a graph and every graph writes a span of the same looks, and some instrumentations guess from a span's name
that it is an agent. What tells them apart is the level: a graph's own spans stand one level above its nodes, so a span is a
graph where a span directly below it has a deeper level.
"""

from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import say
from collector.normalize.values import Value


def settle(walked: list[list[Node]]) -> None:
    """Give graphs their role (a job where something names it, else a container) and take back guesses that fail."""
    for nodes in walked:
        unnamed: list[Node] = []
        announced: dict[str, Value] = {}
        told = [n for n in nodes if n.said.level is not None or n.said.guessed or n.span is None]
        levels = any(node.said.level for node in told)
        for node in told:  # parents first
            if node.span is None:
                _settle_lost(node)
                continue
            if node.role in ("tool", "model", "handoff"):
                continue
            if _holds_nodes(node):
                _name_by_twin(node, announced)
                node.said.role = "job" if node.said.agent is not None else "workflow"
                if node.said.agent is None and node.said.graph is not None:
                    unnamed.append(node)
            elif node.said.guessed and (levels or not _outermost(node)):
                node.said.role = "step"
        for node in unnamed:  # what announced it may be lost: another run of the same graph has the name
            if (name := announced.get(node.said.graph or "")) is not None:
                say(node.said, "agent", name)
                node.said.role = "job"


def _outermost(node: Node) -> bool:
    """Without levels, of nested spans that are called agents the outermost is the job; one below a tool is another's."""
    above = next((n for n in node.ancestors() if n.role in ("job", "workflow", "tool")), None)
    return above is None or above.role == "tool"


def _holds_nodes(node: Node) -> bool:
    own = node.said.level or 0
    direct = [below for child in node.children for below in ([child] if child.span else _left(child, node.said.within))]
    return any((child.said.level or 0) > own for child in direct)


def _left(ghost: Node, within: str | None) -> list[Node]:
    """What a lost node of a graph left; nothing where what was lost was a graph itself: its nodes stand in a run of theirs."""
    return [node for node in ghost.children if node.said.within == within]


def _settle_lost(ghost: Node) -> None:
    """A lost node of a graph was no job. Neither is what stood beside the span that announced it: that one stands for it."""
    above = ghost.parent
    if above is None or not any(node.said.level for node in ghost.children):
        return
    named = above.said.agent is not None and not above.said.guessed and len(above.children) == 1
    graph = above.role in ("job", "workflow")
    if graph and (named or (_left(ghost, above.said.within) and _holds_nodes(above))):
        ghost.said.role = "step"


def announces(node: Node, graph: Node) -> bool:
    """Whether the first, a childless job span that stands beside the second, only says that an agent runs as that graph."""
    agent = node.said.agent
    named = agent is not None and agent.value == graph.said.graph
    return named and node is not graph and not node.children and node.role in ("job", "workflow")


def _name_by_twin(node: Node, announced: dict[str, Value]) -> None:
    """A graph takes over the name under which it was announced."""
    if node.parent is None or node.span is None:
        return
    for other in node.parent.children:
        agent = other.said.agent
        if agent is not None and announces(other, node):
            say(node.said, "agent", agent)
            announced[agent.value] = agent
            other.said.role = "noise"
