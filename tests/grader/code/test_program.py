"""The process that holds an author's modules, as it is talked to."""

import json
import subprocess
import sys
from typing import Any

from tests.grader.own_code import OWN

START = [sys.executable, "-c", "from grader.code.program import main; main()"]
BEGIN = {"folder": str(OWN), "evalstone": True, "seconds": 60}
SAMPLE = {"id": "s", "input": None, "expected": None, "metadata": {}, "tags": []}


def talk(*requests: dict[str, Any], begin: dict[str, Any] = BEGIN) -> tuple[list[Any], str]:
    """The answers to these requests, and what came on standard error."""
    lines = "".join(json.dumps({"seconds": 60} | request) + "\n" for request in (begin, *requests))
    done = subprocess.run(START, input=lines, capture_output=True, text=True, timeout=60, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0] == {}
    return answers[1:], done.stderr


def score(key: str, text: str = "done") -> dict[str, Any]:
    """A request for an evalstone function's score."""
    return {"do": "score", "key": key, "sample": SAMPLE, "output": {"text": text}, "run": None, "context": None}


def test_modules_and_their_checks() -> None:
    """With where each stands, and whether it takes the context."""
    (answer, again), _ = talk({"do": "import", "module": "mychecks"}, {"do": "import", "module": "mychecks"})
    assert answer == again
    assert answer["checks"]["no_apology"] == {"where": "mychecks.no_apology", "context": False}
    assert answer["checks"]["scored"] == {"where": "mychecks._scored", "context": True}
    assert answer["checks"]["lambda"]["where"] == "mychecks.<lambda>"


def test_a_function_is_called_with_sample_and_output() -> None:
    """What it prints goes to standard error, and its standard input is empty."""
    (_, sorry, nothing, reads), err = talk(
        {"do": "import", "module": "mychecks"}, score("no_apology", "Sorry!"), score("nothing"), score("reads")
    )
    assert (sorry["passed"], sorry["value"]) == (False, 0.0)
    assert nothing["broke"].startswith("returned nothing (None)")
    assert reads == {"broke": "raised EOFError (line 82 of mychecks.py)"}
    assert err.strip() == "a function may print done"


def test_evalstone_stands_only_for_files_of_that_tool() -> None:
    """A native suite's modules import from where the function really is."""
    (answer,), _ = talk({"do": "import", "module": "mychecks"}, begin=BEGIN | {"evalstone": False})
    assert answer == {"mistake": "it needs the module 'evalstone', which is not there"}


def test_a_process_that_nobody_ends_ends_itself() -> None:
    """Some seconds after the limit, should the one that started it be gone."""
    from grader.code.program import GRACE_SECONDS

    begin = [json.dumps(r | {"seconds": 60}) for r in (BEGIN, {"do": "import", "module": "mychecks"})]
    hang = json.dumps(score("hangs") | {"seconds": 0.2 - GRACE_SECONDS})
    done = subprocess.run(
        START, input="\n".join([*begin, hang, ""]), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 2
