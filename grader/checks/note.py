"""`note`: a sentence for people. It is listed with every result and never graded, so it can neither pass nor fail."""

from typing import ClassVar

from pydantic import Field

from grader.forms import Defaults, Item, Text
from grader.outcome import Policy, Severity, Unknown
from grader.scene import Primitive
from grader.ungraded import Ungraded


class NoteItem(Item):
    """A sentence that is listed and never graded."""

    KEY: ClassVar[str] = "note"
    GRADED: ClassVar[bool] = False

    note: Text = Field(description="What a person should look at.")

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """Undecided whatever happened."""
        return Ungraded(text=self.note, why="is a note for people and not graded")

    def policy(self, unknown: Unknown) -> Policy:  # noqa: ARG002
        """Not graded: it keeps no case from passing, unless it is all that the case asks."""
        return "not_graded"

    def weight(self, severity: Severity) -> Severity:  # noqa: ARG002
        """Minor: what nobody grades must not keep a case from passing."""
        return "minor"


FORMS = (NoteItem,)
