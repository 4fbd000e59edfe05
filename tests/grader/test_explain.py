"""What pydantic says becomes a line, a field and the nearest name."""

from pydantic import ValidationError

from grader import explain
from grader.schema import suite_form
from grader.syntax import yaml12


def told(text: str) -> list[str]:
    document = yaml12.read("f", text)
    try:
        suite_form().model_validate(document.value)
    except ValidationError as error:
        return [str(m) for m in explain.mistakes("f", document, error.errors(), suite_form())]
    return []


def test_tags_of_unions_are_no_part_of_the_field() -> None:
    """The place is the one in the file."""
    text = "tracegrade: 1\nsuite: s\ncases:\n  - name: a\n    expect:\n      - reply:\n          contain: x\n"
    assert told(text) == [
        "f:7: cases[0].expect[0].reply.contain: unknown key 'contain'; did you mean 'contains'?",
    ]


def test_without_a_near_name_the_allowed_ones_are_listed() -> None:
    """So that nobody has to look them up."""
    (line,) = told("tracegrade: 1\nsuite: s\nzzz: 1\ncases: [{name: a}]\n")
    assert line.startswith("f:3: zzz: unknown key 'zzz'; allowed here: cases, defaults, gate")


def test_a_document_of_another_shape() -> None:
    """A list is no suite."""
    assert told("- 1\n") == ["f:1: must be a mapping of keys to values"]
