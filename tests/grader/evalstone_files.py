"""evalstone files written in tests: a config with its dataset, read as a file is, and graded on trees."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from collector.tree import ToolCall
from grader.case import Suite
from grader.formats.evalstone import FORMAT
from grader.grading import Grading, grade_suite
from grader.outcome import Result
from grader.sample import Candidate
from grader.syntax.mistakes import SuiteError
from tests.grader.trees import SECOND, candidate, captured, job

SAMPLE = {"id": "s", "input": "hello"}


def config(**parts: Any) -> dict[str, Any]:
    """A sound config over the dataset `d`, with these parts in place of its own."""
    sound: dict[str, Any] = {
        "project": "p",
        "datasets": {"d": "d.jsonl"},
        "checks": {"c": {"type": "exact", "expected": "done"}},
        "suites": {"main": {"dataset": "d", "checks": ["c"]}},
    }
    return sound | parts


def read(config: dict[str, Any] | str, *samples: dict[str, Any] | str) -> list[Suite]:
    """The suites of a config whose dataset `d.jsonl` has these lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evalstone.yaml"
        text = config if isinstance(config, str) else json.dumps(config)
        lines = [s if isinstance(s, str) else json.dumps(s) for s in samples or (SAMPLE,)]
        (path.parent / "d.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        found = FORMAT.read(path, text)
    return [found] if isinstance(found, Suite) else list(found)


def mistakes(config: dict[str, Any] | str, *samples: dict[str, Any] | str) -> list[str]:
    """What is wrong in it, each as `file: field: message`; empty where it is sound."""
    try:
        read(config, *samples)
    except SuiteError as error:
        return [f"{Path(m.path).name}: {m.field}: {m.message}" for m in error.mistakes]
    return []


def refused(**check: Any) -> list[str]:
    """What is wrong with one check; empty where it is sound."""
    prefix = "evalstone.yaml: checks.c"
    return [m.removeprefix(prefix).lstrip(".: ") for m in mistakes(config(checks={"c": check}))]


def run(*calls: ToolCall | str, reply: Any = "done", capture: dict[str, Any] | None = None, **more: Any) -> Candidate:
    """A run that was asked `hello`; `attributes` and all else as `trees.job` takes it."""
    attributes = more.pop("attributes", {})
    root = job(*calls, reply=reply, capture=captured(**(capture or {})), **more)
    return candidate(root, attributes=attributes)


def grade(suite: Suite, *candidates: Candidate) -> Grading:
    """The grading of these runs."""
    return grade_suite(suite, candidates, id="g", now=1_000 * SECOND)


def score(
    type: str,  # noqa: A002
    *calls: ToolCall | str,
    sample: dict[str, Any] | None = None,
    expected: Any = None,
    check: dict[str, Any] | None = None,
    **more: Any,
) -> Result:
    """The score that one check gives one run of one sample; `more` is the run's."""
    line = SAMPLE | ({} if expected is None else {"expected": expected}) | (sample or {})
    (suite,) = read(config(checks={"c": {"type": type} | (check or {})}), line)
    (found,) = grade(suite, run(*calls, **more)).samples
    (result,) = found.results
    return result


def outcomes(type: str, rows: Sequence[tuple[Any, ...]]) -> list[str]:  # noqa: A002
    """For tables of (keys of the check, keys of the run): the outcomes."""
    return [score(type, check=check, **run_of).outcome for check, run_of in rows]
