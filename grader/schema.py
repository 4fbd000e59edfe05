"""The native suite as one model: every check form that the folder scan finds, and the JSON Schema for editors."""

from functools import cache
from typing import Annotated, Any, Literal, Union

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    create_model,
    model_validator,
)

from grader.case import Match
from grader.durations import since
from grader.forms import Defaults, Form, Item, Text
from grader.judge.prices import price
from grader.outcome import Unknown
from grader.pieces import forms
from grader.shares import read_budget, read_share


def _share(value: Any) -> Any:
    read_share(value)
    return value


def _budget(value: Any) -> Any:
    read_budget(value)
    return value


def _since(value: str) -> str:
    from datetime import UTC, datetime  # noqa: PLC0415

    since(value, datetime.now(UTC))
    return value


ShareText = Annotated[
    Any, AfterValidator(_share), WithJsonSchema({"type": "string", "pattern": r"^\d{1,3}(\.\d{1,6})?\s*%$"})
]
BudgetValue = Annotated[
    Any,
    AfterValidator(_budget),
    WithJsonSchema(
        {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": r"^\d{1,3}(\.\d{1,6})?\s*%$"}]}
    ),
]


class SelectForm(Form):
    """Which runs the suite looks at."""

    service: Text | None = Field(default=None, description="resource attribute service.name")
    agent: Text | None = Field(default=None, description="The root job's agent.")
    since: Annotated[Text, AfterValidator(_since)] | None = Field(
        default=None, description="24h, 30m, 7d, or an ISO time."
    )
    batch: Text | None = Field(default=None, description="tracegrade.batch, or cicd.pipeline.run.id")
    attributes: dict[str, Any] = Field(default_factory=dict, description="Each equal on the run.")
    where: Text | None = Field(default=None, description="An SQL predicate over the columns of the table runs.")


class EachCase(Form):
    """What each case must reach."""

    pass_: ShareText = Field(default="100%", alias="pass", description="Passes among passes and fails.")
    min_samples: int = Field(default=1, ge=1, description="So many samples must have passed or failed.")


class WholeSuite(Form):
    """What the suite must reach over all samples."""

    pass_: ShareText = Field(default=None, alias="pass", description="Passes among passes and fails of all cases.")
    max_error: BudgetValue = Field(default=0, description="Samples that could not be judged.")
    max_indeterminate: BudgetValue = Field(default=0, description="Samples that the evidence could not decide.")


class GateForm(Form):
    """What must hold for exit code 0."""

    each_case: EachCase = EachCase()
    suite: WholeSuite = WholeSuite()


def _single(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


def which(value: Any) -> str | None:
    """The one check key of an item; None where there is none or more than one."""
    if isinstance(value, Item):
        return value.KEY
    keys = [k for k in forms() if k in value] if isinstance(value, dict) else []
    return keys[0] if len(keys) == 1 else None


@cache
def any_item() -> Any:
    """The union of all check forms, told apart by their check key."""
    tagged = tuple(Annotated[form, Tag(key)] for key, form in forms().items())
    union = Annotated[Union[tagged], Discriminator(which)]  # noqa: UP007  # ty: ignore[invalid-type-form]
    for form in forms().values():
        form.model_rebuild(_types_namespace={"AnyItem": union})
    return union


def _request(value: Any) -> Any:
    if value is not None and not isinstance(value, str | dict | list):
        raise ValueError("must be a text, or a mapping or list that the input equals")
    if value is not None and not value:
        raise ValueError("is empty; leave it out, and the case is a policy for every run")
    return value


Request = Annotated[
    Any,
    AfterValidator(_request),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1}, {"type": "object"}, {"type": "array"}]}),
]


def _price(value: Any) -> Any:
    return price(value)


class Judging(Form):
    """Who judges, and at what prices."""

    model: Text | None = Field(default=None, description="Asked where a check names no model.")
    prices: dict[str, Annotated[Any, AfterValidator(_price)]] = Field(
        default_factory=dict, description="By model: { input, output }, dollars per million tokens."
    )


class _Case(Form):
    """Expectations on one request; without a request a policy for every selected run."""

    name: Text
    request: Request = Field(default=None, description="The input that runs of this case have: a text, or a value.")
    match: Match | None = Field(
        default=None,
        description="exact: the same text (default); contains: the request is in the input; name: runs with the case's name.",
    )

    @model_validator(mode="after")
    def _request(self) -> "_Case":
        if self.match in ("exact", "contains") and self.request is None:
            raise ValueError("match needs a request (or match: name)")
        if self.match == "contains" and not isinstance(self.request, str):
            raise ValueError("match: contains needs a request that is a text")
        return self


@cache
def suite_form() -> type[Form]:
    """The model of a whole suite file."""
    items = Annotated[list[any_item()], Field(min_length=1)]  # ty: ignore[invalid-type-form]
    when = Annotated[items, BeforeValidator(_single, json_schema_input_type=Union[any_item(), items])]  # ty: ignore  # noqa: UP007
    case = create_model(
        "Case", __base__=_Case, __doc__=_Case.__doc__, when=(when | None, None), expect=(items | None, None)
    )
    return create_model(
        "Suite",
        __base__=Form,
        __doc__="A tracegrade suite: cases with expectations, and a gate.",
        tracegrade=(Literal[1], Field(description="The version of this file's form.")),
        suite=(Text, Field(description="The suite's name.")),
        select=(SelectForm, SelectForm()),
        unknown=(Unknown, Field(default="indeterminate", description="What it means when the evidence cannot decide.")),
        gate=(
            GateForm | None,
            Field(default=None, description="Without it every case must pass with at least one sample."),
        ),
        defaults=(Defaults, Defaults()),
        judge=(Judging, Judging()),
        short_circuit=(
            bool,
            Field(default=False, description="Where a critical check failed, no model is asked about the run."),
        ),
        cases=(Annotated[list[case], Field(min_length=1)], ...),  # ty: ignore[invalid-type-form]
    )


def json_schema() -> dict[str, Any]:
    """The JSON Schema for editors."""
    schema = suite_form().model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
