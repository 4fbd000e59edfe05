"""The models that check files build on."""

import pytest
from pydantic import ValidationError

from grader.forms import Defaults, Entry, Range, closed_fields, one_of, open_fields
from grader.pieces import forms
from tests.grader.suites import DATA


def test_types_are_strict() -> None:
    """A text is no number, and a number no text."""
    with pytest.raises(ValidationError):
        Range.model_validate({"min": "1"})
    with pytest.raises(ValidationError):
        Entry.model_validate({"tool": 1})


def test_a_range_says_something() -> None:
    """An empty range would always hold."""
    with pytest.raises(ValidationError, match="say min, max or both"):
        Range.model_validate({})


def test_fields_are_sorted_so_that_key_order_never_matters() -> None:
    """Open and closed alike."""
    assert open_fields({"b": 1, "a": 2}) == open_fields({"a": 2, "b": 1})
    assert closed_fields({"a": 1}) != open_fields({"a": 1})
    assert open_fields(None) is None


def test_one_of_names_the_nearest() -> None:
    """And lists what is known."""
    with pytest.raises(ValueError, match="did you mean 'tools'"):
        one_of("tool", ("tools", "reply"))


def test_every_form_compiles_to_a_primitive_that_never_raises_on_an_empty_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zero evidence gives an answer, and it is never green."""
    monkeypatch.chdir(DATA)  # where the rubric is
    from grader.scene import Scene
    from grader.schema import any_item
    from tests.grader.trees import job, run

    any_item()
    examples = {
        "approved": {"approved": "f"},
        "called": {"called": "f"},
        "calls": {"calls": ["f"], "match": "at_most"},
        "captured": {"captured": "tools"},
        "cel": {"cel": "tool_calls.size() == 0 || calls == 0"},
        "child": {"child": "c", "payload": "not payload.x"},
        "compare": {"compare": {"baseline": "b", "rubric": "rubrics/better.md"}},
        "constraints_reach": {"constraints_reach": 0, "constraints": ["c"]},
        "every": {"every": "f", "preceded_by": "g"},
        "expr": {"expr": 'not output or "f" not in tools or error is null'},
        "human": {"human": "tone"},
        "in_order": {"in_order": ["f"]},
        "judge": {"judge": "friendly"},
        "json": {"json": {"nonempty": True}},
        "limits": {"limits": {"tool_calls": 1, "same_call": 1, "model_calls": 1, "usd": 1, "seconds": 1}},
        "not_called": {"not_called": "f"},
        "note": {"note": "sounds friendly"},
        "python": {"python": "m.f"},
        "rag": {"rag": "faithfulness"},
        "reply": {"reply": {"excludes": "x"}},
        "safety": {"safety": {"no_pii": ["email"]}},
        "skills_read": {"skills_read": "s"},
        "status": {"status": "completed"},
    }
    assert set(examples) == set(forms())
    nothing = job(capture={}, reply=None, status="unknown", started=0, ended=None, spans=[])
    for key, example in examples.items():
        finding = forms()[key].model_validate(example).compile(Defaults()).decide(Scene(run(nothing, capture={})))
        assert finding.truth is not True, key
        assert finding.sentence
