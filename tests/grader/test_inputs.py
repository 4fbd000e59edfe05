"""What goes into a grading beside suite and trees."""

from pathlib import Path

import pytest

from collector.tree import Job, Member, Run
from grader.inputs import NONE, Inputs, read_context
from grader.syntax.mistakes import SuiteError


def test_the_context_of_a_run_is_found_by_run_then_trace_then_case() -> None:
    """The nearest name wins; without any there is none."""
    run = Run("run-1", Job("run-1", "trace-1"), members=[Member("trace-1", "root"), Member("trace-2", "link")])
    given = {"run-1": 1, "trace-2": 2, "trace-1": 3, "the case": 4}
    for expected, key in enumerate(("run-1", "trace-1", "trace-2", "the case")):
        order = [1, 3, 2, 4]
        assert Inputs(context=given).context_of("the case", run) == order[expected]
        del given[key]
    assert Inputs(context=given).context_of("the case", run) is None


def test_equal_inputs_have_one_hash_and_others_another() -> None:
    """The hash is part of a verdict's key, so the order of keys must not matter, and everything else must."""
    one, same = Inputs(context={"a": {"x": 1, "y": 2}}), Inputs(context={"a": {"y": 2, "x": 1}})
    assert one.hash == same.hash
    assert len({one.hash, NONE.hash, Inputs(tenant_gate=True).hash, Inputs(context={"a": {"x": 1}}).hash}) == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [("[1, 2]", "must be an object"), ("a: [", "not YAML"), ("a: 1\na: 2\n", "a"), (None, "cannot be read")],
)
def test_a_context_file_that_cannot_be_used_is_refused(tmp_path: Path, text: str | None, told: str) -> None:
    """With the file's name and what is wrong."""
    path = tmp_path / "context.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SuiteError) as caught:
        read_context(path)
    assert "context.yaml" in str(caught.value)
    assert told in str(caught.value)


def test_a_context_file_is_an_object_by_name(tmp_path: Path) -> None:
    """YAML or JSON; names that look like numbers are names."""
    path = tmp_path / "context.json"
    path.write_text('{"refunds": {"order": "A-1"}, "12": true}')
    assert read_context(path) == {"refunds": {"order": "A-1"}, "12": True}
