"""An agent manifest: which tools, skills and delegates each agent has, so that a name can be out of reach."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from grader import explain
from grader.forms import Form, Text
from grader.lint.seen import Names, gathered
from grader.names import Mention
from grader.nearest import nearest
from grader.syntax import yaml12
from grader.syntax.mistakes import Mistake, SuiteError


class Tool(Form):
    """A tool by its name, and by its qualified name where traces tell one (server and tool)."""

    name: Text
    qualified: Text | None = None


def _tool(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


class Agent(Form):
    """All that an agent can use itself, built-in tools included, and the agents that it can start or hand over to."""

    name: Text
    tools: list[Annotated[Tool, BeforeValidator(_tool, json_schema_input_type=str | Tool)]] = Field(default=[])
    skills: list[Text] = Field(default=[])
    delegates: list[Text] = Field(default=[])


class ManifestForm(Form):
    """A manifest file."""

    agents: Annotated[list[Agent], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Reach:
    """What can be used from somewhere. `blind`: agents that the manifest does not describe, who may have more."""

    names: Names
    blind: tuple[str, ...]


class Manifest:
    """Agents by name."""

    def __init__(self, path: str, agents: Sequence[Agent]) -> None:
        self.path = path
        self.agents = {agent.name: agent for agent in agents}

    def reach(self, mention: Mention, root: str | None) -> Reach:
        """From the child that the mention is about, else from the suite's agent, else from any agent.

        A child must be a delegate of its parent itself; tools and skills may be those of delegates' delegates, unless
        the check looks at the job alone.
        """
        start = [mention.path[-1]] if mention.path else [root] if root is not None else list(self.agents)
        if mention.named.kind == "agent":
            rows = [("agent", d, None) for name in start if name in self.agents for d in self.agents[name].delegates]
            return Reach(gathered(rows), tuple(name for name in start if name not in self.agents))
        reached = start if mention.scope == "job" else list(self._below(start))
        rows = [row for name in reached if name in self.agents for row in _own(self.agents[name])]
        return Reach(gathered(rows), tuple(name for name in reached if name not in self.agents))

    def _below(self, start: Sequence[str]) -> Iterator[str]:
        """These agents and all that they can start, each once."""
        known: dict[str, None] = dict.fromkeys(start)
        waiting = list(known)
        for name in waiting:
            yield name
            for delegate in self.agents[name].delegates if name in self.agents else ():
                if delegate not in known:
                    known[delegate] = None
                    waiting.append(delegate)

    def unknown_agent(self, name: str) -> str:
        """For a message: the nearest agent of the manifest."""
        return f"no agent {name!r} stands in {self.path}{nearest(name, list(self.agents))}"


def _own(agent: Agent) -> Iterator[tuple[str, str, str | None]]:
    yield from (("tool", tool.name, tool.qualified) for tool in agent.tools)
    yield from (("skill", skill, None) for skill in agent.skills)


def read_manifest(path: Path) -> Manifest:
    """The manifest in a JSON or YAML file.

    Raises:
        SuiteError: with every mistake in the file, each with its line.
    """
    try:
        document = yaml12.read(path, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        raise SuiteError([Mistake(str(path), 1, "", f"cannot be read: {reason}")]) from None
    found = list(document.mistakes)
    form: Any = None
    if document.value is not None or not found:
        try:
            form = ManifestForm.model_validate(document.value)
        except ValidationError as error:
            found += explain.mistakes(str(path), document, error.errors(include_url=False), ManifestForm)
    if form is not None:
        found += _twice(str(path), document, form.agents)
    if found:
        raise SuiteError(found)
    return Manifest(str(path), form.agents)


def _twice(path: str, document: yaml12.Document, agents: Sequence[Agent]) -> Iterator[Mistake]:
    first: dict[str, int] = {}
    for number, agent in enumerate(agents):
        where = ("agents", number, "name")
        if agent.name in first:
            message = f"an agent named {agent.name!r} stands on line {first[agent.name]} already"
            yield Mistake(path, document.line(where), yaml12.dotted(where), message)
        first.setdefault(agent.name, document.line(where))
