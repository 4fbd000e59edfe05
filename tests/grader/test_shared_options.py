"""Options that several commands take are the same wherever they stand."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from grader import cli, shared_options
from grader.people import commands

SHARED = {
    "store": shared_options.StoreOption,
    "format": shared_options.FormatOption,
    "allow_code": shared_options.AllowCodeOption,
    "judge_model": shared_options.JudgeModelOption,
    "max_judge_usd": shared_options.MaxJudgeUsdOption,
    "max_judge_calls": shared_options.MaxJudgeCallsOption,
}


@pytest.mark.parametrize("command", [cli.grade, commands.label, commands.agreement], ids=lambda c: c.__name__)
def test_commands_share_them(command: Callable[..., Any]) -> None:
    """By the same names, with the same help and bounds."""
    taken = {name: one.annotation for name, one in inspect.signature(command).parameters.items() if name in SHARED}
    assert {"store", "format", "allow_code"} <= taken.keys()
    assert taken == {name: SHARED[name] for name in taken}
