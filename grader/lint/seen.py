"""What stored traces have shown: the tools, agents and skills of all runs, for names that nobody ever saw."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector import Store
from collector.tree import ToolCall
from grader.names import Kind, Named, same_skill
from grader.scene import Calls


@dataclass(frozen=True, slots=True)
class Names:
    """Names that exist, and how they are called otherwise (a tool's qualified name)."""

    tools: Calls
    agents: frozenset[str]
    skills: tuple[str, ...]

    def have(self, named: Named) -> bool:
        """Whether one of them is meant, by the name's own way of matching; a skill of an unknown plugin may be."""
        if named.kind == "tool":
            return bool(self.tools.named(named.name, named.names))
        if named.kind == "skill":
            return any(same_skill(named.name, skill) is not False for skill in self.skills)
        return named.name in self.agents

    def of(self, kind: Kind) -> Sequence[str]:
        """For the nearest name."""
        if kind == "tool":
            return sorted({n for c in self.tools.items for n in (c.name, c.qualified) if n is not None})
        return sorted(self.agents if kind == "agent" else self.skills)


def gathered(rows: Iterable[tuple[str, str, str | None]]) -> Names:
    """The names of (kind, name, qualified name)."""
    tools: list[ToolCall] = []
    agents: set[str] = set()
    skills: set[str] = set()
    for kind, name, qualified in rows:
        if kind == "tool":
            tools.append(ToolCall(name, qualified=qualified))
        else:
            (agents if kind == "agent" else skills).add(name)
    return Names(Calls(tools), frozenset(agents), tuple(sorted(skills)))


def seen(store: Store) -> Names | None:
    """The names of all runs in the store; None where it holds no run."""
    rows = store.query("seen_names").to_pylist()
    if not any(row["kind"] == "run" for row in rows):
        return None
    return gathered((row["kind"], row["name"], row["qualified"]) for row in rows if row["kind"] != "run")
