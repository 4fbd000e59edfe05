"""Which of the spans that a graph framework writes are graphs, and so jobs (LangGraph).

Every node of a graph and every graph writes a span of the same looks, and some instrumentations guess from a span's name
that it is an agent. What tells them apart is the level: a graph's own spans stand one level above its nodes, so a span is a
graph where a span directly below it has a deeper level.
"""

from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import Role, say


def settle(roots: list[Node]) -> None:
    """Give graphs their role (a job where something names it, else a container) and take back guesses that fail."""
    for root in roots:
        told = [node for node in (root, *root.below()) if node.said.level is not None or node.said.guessed]
        levels = any(node.said.level for node in told)
        for node in told:  # parents first
            if node.span is None or node.role in (Role.TOOL, Role.MODEL, Role.HANDOFF):
                continue
            if _holds_nodes(node):
                _name_by_twin(node)
                node.said.role = Role.JOB if node.said.agent is not None else Role.WORKFLOW
            elif node.said.guessed and (levels or not _outermost(node)):
                node.said.role = Role.STEP


def _outermost(node: Node) -> bool:
    """Without levels, of nested spans that are called agents the outermost is the job; one below a tool is another's."""
    above = next((n for n in node.ancestors() if n.role in (Role.JOB, Role.WORKFLOW, Role.TOOL)), None)
    return above is None or above.role is Role.TOOL


def _holds_nodes(node: Node) -> bool:
    own = node.said.level or 0
    direct = [below for child in node.children for below in ([child] if child.span else child.children)]
    return any((child.said.level or 0) > own for child in direct)  # through a lost span, too


def _name_by_twin(node: Node) -> None:
    """Some instrumentations announce a graph by a childless job span beside it: the graph takes its name over."""
    if node.parent is None or node.span is None:
        return
    for other in node.parent.children:
        agent = other.said.agent
        announces = other is not node and not other.children and other.role in (Role.JOB, Role.WORKFLOW)
        if announces and agent is not None and agent.value == node.said.graph:
            say(node.said, "agent", agent)
            other.said.role = Role.NOISE
