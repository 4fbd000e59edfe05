"""`python`: a function of the author's own decides. It is read and shown, and not run yet: such a check is not graded."""

from typing import Annotated, ClassVar

from pydantic import Field

from grader.forms import Defaults, Text
from grader.judged import JudgedItem
from grader.scene import Primitive
from grader.ungraded import Ungraded


class PythonItem(JudgedItem):
    """A function of the author's own decides."""

    KEY: ClassVar[str] = "python"

    python: Annotated[Text, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$", description="module.function")]

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """Undecided."""
        return Ungraded(text=f"python: {self.python}", why="is not graded yet")

    def notice(self) -> str | None:
        """Said with every grading."""
        return "`python` is not graded yet"


FORMS = (PythonItem,)
