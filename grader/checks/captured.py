"""`captured`: the evidence itself. Fails when a recorder breaks, so that no other check passes for want of evidence."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from collector.tree import CAPTURE_KINDS
from grader.forms import Defaults, Item, Texts, one_of
from grader.outcome import Finding
from grader.scene import Primitive, Scene, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """Each of these kinds was captured in full over the scope."""

    kinds: tuple[str, ...]
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """Never unknown: what is missing is the very thing asked for."""
        lacks = [scene.lack(k, self.scope) for k in self.kinds if not scene.complete(k, self.scope)]
        share = 1 - len(lacks) / len(self.kinds)
        if lacks:
            return Finding(False, "; ".join(lacks), scene.job.spans[:1], share)
        return Finding(True, f"captured in full: {', '.join(self.kinds)}", scene.job.spans[:1], share)


def _kinds(names: list[str]) -> list[str]:
    return [one_of(n, CAPTURE_KINDS) for n in names]


class CapturedItem(Item):
    """These kinds of evidence were captured in full."""

    KEY: ClassVar[str] = "captured"

    captured: Annotated[Texts, AfterValidator(_kinds)] = Field(description=", ".join(CAPTURE_KINDS))

    def compile(self, defaults: Defaults) -> Primitive:
        """Captured, each kind once."""
        return Captured(kinds=tuple(sorted(set(self.captured))), scope=self.scope or defaults.scope)

    def label(self) -> str:
        """With the kinds."""
        return f"captured {', '.join(self.captured)}"


FORMS = (CapturedItem,)
