"""`expr` and `cel`: a condition on the facts of a job that is true."""

from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from grader.condition import CelCondition, Condition
from grader.expressions.cel import compile_cel
from grader.expressions.dsl import compile_dsl
from grader.facts import FACTS, OF_A_JOB
from grader.forms import Defaults, Item, Text
from grader.scene import Primitive

_LISTED = "; ".join(f"{name}: {FACTS[name].tells}" for name in OF_A_JOB)


def _expr(source: str) -> str:
    compile_dsl(source, OF_A_JOB)
    return source


def _cel(source: str) -> str:
    compile_cel(source, {name: FACTS[name].type for name in OF_A_JOB})
    return source


class ExprItem(Item):
    """A condition in the Python-like language that is true."""

    KEY: ClassVar[str] = "expr"

    expr: Annotated[Text, AfterValidator(_expr)] = Field(description=_LISTED)

    def compile(self, defaults: Defaults) -> Primitive:
        """Over all facts of a job."""
        return Condition(source=self.expr, roots=OF_A_JOB, scope=self.scope or defaults.scope)


class CelItem(Item):
    """A condition in CEL that is true; one that cannot be evaluated fails."""

    KEY: ClassVar[str] = "cel"

    cel: Annotated[Text, AfterValidator(_cel)] = Field(description=_LISTED)

    def compile(self, defaults: Defaults) -> Primitive:
        """Over all facts of a job."""
        return CelCondition(source=self.cel, variables=OF_A_JOB, scope=self.scope or defaults.scope)


FORMS = (ExprItem, CelItem)
