"""`skills_read`: the jobs read each of these skills. A read proves it; only complete capture of reads refutes it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from collector.tree import SkillRead
from grader.forms import Defaults, Item, Texts
from grader.names import Named, same_skill
from grader.outcome import Finding, Truth, combine, either
from grader.scene import Primitive, Scene, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsRead:
    """Each of `skills` was read. `declared`: a read that was only inferred from the path of a file does not count."""

    skills: tuple[str, ...]
    declared: bool
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """Skill by skill; other reads are fine."""
        reads = [read for job in scene.jobs(self.scope) for read in job.skills]
        return combine([self._one(scene, skill, reads) for skill in self.skills])

    def mentioned(self) -> Iterable[Named]:
        """The skills."""
        return [Named("skill", skill) for skill in self.skills]

    def _one(self, scene: Scene, skill: str, reads: list[SkillRead]) -> Finding:
        meant = [(read, same_skill(skill, read.name)) for read in reads]
        counting = [(read, answer) for read, answer in meant if answer is not False and self._counts(read)]
        truth = either(answer for _, answer in counting)
        spans = [s for read, answer in counting if answer is truth for s in read.spans]
        if truth is True:
            return Finding(True, f"{skill} was read", spans)
        sentence = f"{skill} was not read{self._nearest(meant, reads)}"
        if truth is None:
            return Finding(None, f"{sentence}; a skill of that name was read, of which plugin is not known", spans)
        if not scene.complete("skills", self.scope):
            return Finding(None, f"whether {skill} was read is not known: {scene.lack('skills', self.scope)}", spans)
        return Finding(False, sentence, spans)

    def _counts(self, read: SkillRead) -> bool:
        return read.declared or not self.declared

    def _nearest(self, meant: list[tuple[SkillRead, Truth]], reads: list[SkillRead]) -> str:
        if any(answer is True for _, answer in meant):
            return " as far as is declared: it is inferred from the path of a file"
        return f"; read were {_names(reads)}" if reads else "; no skill was"


def _names(reads: Iterable[SkillRead]) -> str:
    return ", ".join(dict.fromkeys(read.name for read in reads))


class SkillsReadItem(Item):
    """The job, or one below it, read each of these skills."""

    KEY: ClassVar[str] = "skills_read"

    skills_read: Texts = Field(description="plugin/skill, or the skill's name alone; one or several.")
    declared: bool = Field(default=False, description="true: reads inferred from the path of a file do not count.")

    def compile(self, defaults: Defaults) -> Primitive:
        """Each skill once."""
        skills = tuple(sorted(set(self.skills_read)))
        return SkillsRead(skills=skills, declared=self.declared, scope=self.scope or defaults.scope)

    def label(self) -> str:
        """With the names."""
        return f"skills_read {', '.join(self.skills_read)}"


FORMS = (SkillsReadItem,)
