"""The five vocabularies side by side: what one construct of each says of one and the same run."""

from collections.abc import Callable
from typing import Any

from grader.case import Suite
from grader.inputs import NONE, Inputs
from grader.sample import Candidate, judge
from grader.syntax.mistakes import SuiteError
from tests.grader import evalstone_files
from tests.grader.rules import connic_runs, evals, vocabularies

REFUSED = "refused"
"""Instead of an outcome: the file that asks for it is no sound file."""


def _lasso(check: dict[str, Any]) -> Suite:
    return vocabularies.lasso(check)


def _scenario(check: dict[str, Any]) -> Suite:
    return vocabularies.scenarios(check)


def _evalstone(check: dict[str, Any]) -> Suite:
    (suite,) = evalstone_files.read(evalstone_files.config(checks={"c": check}))
    return suite


MAKERS: dict[str, Callable[[dict[str, Any]], Suite]] = {
    "S0": _lasso,
    "S1": _scenario,
    "S2": _evalstone,
    "S3": connic_runs.suite,
    "S4": evals.evals,
}
"""How a vocabulary's construct becomes a suite: a check, or what is expected of a case."""


def said(vocabulary: str, construct: dict[str, Any], run: Candidate, inputs: Inputs = NONE) -> str:
    """The outcome of the construct's own check: of S3 and S4, where it is one of several, that of the whole case."""
    try:
        suite = MAKERS[vocabulary](construct)
    except SuiteError:
        return REFUSED
    sample = judge(suite.cases[0], run, inputs)
    return sample.outcome if vocabulary in ("S3", "S4") else sample.results[0].outcome


def each(constructs: dict[str, dict[str, Any]], run: Candidate, inputs: Inputs = NONE) -> dict[str, str]:
    """The outcome under every vocabulary that has such a construct."""
    return {vocabulary: said(vocabulary, construct, run, inputs) for vocabulary, construct in constructs.items()}


def called(tool: str) -> dict[str, dict[str, Any]]:
    """The tool must be called."""
    return {
        "S0": {"type": "tool_called", "tool": tool},
        "S1": {"type": "tool_called", "tool": tool},
        "S2": {"type": "trajectory.tool_called", "name": tool},
        "S3": {"expected_tool_calls": [tool]},
        "S4": {"tools_called": [tool]},
    }


def not_called(tool: str) -> dict[str, dict[str, Any]]:
    """The tool must not be called."""
    return {
        "S0": {"type": "tool_not_called", "tool": tool},
        "S1": {"type": "tool_not_called", "tool": tool},
        "S2": {"type": "trajectory.tool_called", "name": tool, "min_times": 0, "max_times": 0},
        "S3": {"expected_no_tool_calls": [tool]},
        "S4": {"not_called": [tool]},
    }


def in_order(first: str, then: str) -> dict[str, dict[str, Any]]:
    """One tool and then the other."""
    return {
        "S0": {"type": "tool_order", "tools": [first, then]},
        "S1": {"type": "tool_order", "tools": [first, then]},
        "S2": {"type": "trajectory.tool_order", "before": first, "after": then},
        "S3": {"expected_tool_call_order": [first, then]},
        "S4": {"tool_order": [first, then]},
    }


def contains(text: str) -> dict[str, dict[str, Any]]:
    """The reply has this text."""
    return {
        "S0": {"type": "output_contains", "value": text},
        "S1": {"type": "output_contains", "value": text},
        "S2": {"type": "contains", "needles": [text]},
        "S3": {"expected_result": f'"{text}" in output'},
        "S4": {"contains": [text]},
    }
