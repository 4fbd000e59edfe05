"""JSON Schema as a pattern: 2020-12 unless `$schema` says otherwise; nothing is fetched."""

from dataclasses import dataclass, field
from typing import Any

from grader.outcome import Truth
from grader.patterns import Past, show


def check_schema(schema: Any) -> None:
    """Whether it is a JSON Schema.

    Raises:
        ValueError: it is none; the message is for the suite's author.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- a third of the start of a process that judges
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415
    from jsonschema.validators import validator_for  # noqa: PLC0415

    try:
        validator_for(schema, default=Draft202012Validator).check_schema(schema)
    except SchemaError as error:
        raise ValueError(f"the schema is not a JSON Schema: {error.message}") from None


@dataclass(frozen=True, slots=True)
class Conforming:
    """A value that conforms to a JSON Schema."""

    schema: Any
    validator: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        from jsonschema import Draft202012Validator  # noqa: PLC0415 -- as above
        from jsonschema.validators import validator_for  # noqa: PLC0415
        from referencing import Registry  # noqa: PLC0415

        cls = validator_for(self.schema, default=Draft202012Validator)
        object.__setattr__(self, "validator", cls(self.schema, registry=Registry()))

    def match(self, value: Any, past: Past) -> Truth:  # noqa: ARG002
        return self.validator.is_valid(value)

    def tell(self) -> str:
        return f"conforming to {show(self.schema)}"

    def miss(self, value: Any) -> str:
        """The first error in document order, and how many more there are; "" where it conforms."""
        errors = sorted(self.validator.iter_errors(value), key=lambda e: [str(p) for p in e.absolute_path])
        if not errors:
            return ""
        at = ".".join(map(str, errors[0].absolute_path))
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        return f"{f'{at}: ' if at else ''}{show(errors[0].message, 200)}{more}"
