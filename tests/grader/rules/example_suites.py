"""The example files of all formats, written in another order of keys, and runs that may answer their cases."""

import copy
import json
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st
from ruamel.yaml import YAML

from collector.tree import CAPTURE_KINDS, Capture, Job
from grader.case import Case, Suite, facts
from grader.outcome import Outcome
from grader.sample import Candidate, judge
from grader.suites import read_suites
from grader.syntax.foreign import glance
from grader.syntax.mistakes import SuiteError
from tests.grader.suites import DATA
from tests.grader.trees import call, candidate, child, job, model_call

FOLDER = DATA.parent / "vocabularies"
STATES = ("requested", "awaiting_approval", "denied", "answered", "succeeded", "failed")


@cache
def examples() -> dict[str, Path]:
    """The files that are sound, by their place."""
    found = sorted(p for p in FOLDER.glob("*/suites/**/*") if p.suffix in (".yaml", ".json"))
    return {str(path.relative_to(FOLDER.parent)): path for path in [*found, DATA / "whole.yaml"] if _sound(path)}


def _sound(path: Path) -> bool:
    try:
        read_suites([path])
    except SuiteError:
        return False
    return True


@cache
def suites(name: str) -> tuple[Suite, ...]:
    """The suites of an example."""
    return tuple(read_suites([examples()[name]]))


def in_another_order(name: str, seed: int) -> tuple[Suite, ...]:
    """The same suites from a file in which all keys stand in another order."""
    path = examples()[name]
    text = path.read_text(encoding="utf-8")
    content = YAML(typ="safe").load(text) if path.parent == DATA else glance(text)
    with tempfile.TemporaryDirectory() as folder:
        whole = DATA if path.parent == DATA else FOLDER / path.relative_to(FOLDER).parts[0]
        moved = Path(shutil.copytree(whole, Path(folder) / "all")) / path.relative_to(whole)  # datasets stand beside it
        moved.write_text(json.dumps(_turned(content, Random(seed))), encoding="utf-8")
        return tuple(read_suites([moved]))


def _turned(value: Any, random: Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: _turned(value[key], random) for key in keys}
    return [_turned(v, random) for v in value] if isinstance(value, list) else value


@cache
def words(name: str) -> tuple[str, ...]:
    """Every text of the cases, so that runs have the tools, agents and replies that the checks speak of."""
    return tuple(
        sorted({text for suite in suites(name) for case in suite.cases for text in _texts(facts(case.expect))})
    )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for below in value.values():
            yield from _texts(below)
    elif isinstance(value, list):
        for below in value:
            yield from _texts(below)
    elif isinstance(value, str) and value:
        yield value


def jobs(name: str) -> st.SearchStrategy[Job]:
    """Jobs that call some of what the file names, and reply with some of its words."""
    named = st.sampled_from([*words(name), "other"])
    calls = st.lists(
        st.builds(lambda tool, state: call(tool, {}, state=state), named, st.sampled_from(STATES)), max_size=4
    )
    below = st.lists(st.builds(lambda agent, made: child(agent, *made), named, calls), max_size=1)
    return st.builds(
        lambda made, jobs, reply, status: job(*made, jobs=jobs, reply=reply, status=status, model_calls=[model_call()]),
        calls,
        below,
        named | st.sampled_from(['{"id": 10, "status": "issued"}', "42", "done"]),
        st.sampled_from(["completed", "completed", "failed"]),
    )


def answering(case: Case, root: Job, number: int = 1) -> Candidate:
    """The job as a run that says it answers the case."""
    root = copy.deepcopy(root)
    root.input = case.request if case.request is not None else "hello"
    return candidate(root, id=f"run-{number}", case_name=case.name)


def outcome(case: Case, root: Job) -> Outcome:
    """What the case comes to on that job."""
    return judge(case, answering(case, root)).outcome


EMPTIED: dict[str, tuple[str, Any]] = {
    "input": ("input", None),
    "reply": ("reply", None),
    "tools": ("tool_calls", []),
    "model_calls": ("model_calls", []),
    "approvals": ("approvals", []),
    "skills": ("skills", []),
    "constraints": ("constraints", None),
}
"""What a kind of evidence fills in."""


def without(root: Job, *kinds: str) -> Job:
    """The same job where this evidence was not captured, on it and below.

    Of `children` the jobs themselves are taken away, and that some are missing is told: nobody can miss a job that left no
    trace of itself at all.
    """
    poorer = copy.deepcopy(root)
    if "children" in kinds:
        poorer.jobs = []
    for each in poorer.walk():
        each.capture |= {kind: Capture("partial" if kind == "children" else "absent") for kind in kinds}
        for kind in kinds:
            if kind in EMPTIED:
                setattr(each, *EMPTIED[kind])
            if kind in ("tool_args", "tool_results"):
                for one in each.tool_calls:
                    _hide(one, kind)
    return poorer


def _hide(one: Any, kind: str) -> None:
    if kind == "tool_args":
        one.arguments, one.arguments_capture = None, "absent"
    else:
        one.result, one.result_capture = None, "absent"


def nothing(root: Job) -> Job:
    """The same job of which nothing was captured, not even how it ended."""
    poorer = without(root, *CAPTURE_KINDS)
    poorer.status, poorer.error = "unknown", None
    return poorer
