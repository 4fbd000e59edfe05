"""The process that holds an author's modules: imports them, calls their functions, one request after the other.

Requests and answers are lines of JSON. What the functions print goes to standard error, and they find standard input empty.
"""

import faulthandler
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from collector import tree_text
from grader.code.given import CannotBeCalledError, Context, Output, Sample, takes_context, wanted
from grader.code.modules import CannotImportError, load, look_beside, source_hash, told
from grader.code.registry import REGISTRY, check
from grader.code.score import NotAScoreError, Score, as_score

GRACE_SECONDS = 5.0
"""After its limit a function ends this process, should the one that started it not live to do so."""

Answer = dict[str, Any]


class Program:
    """Answers requests about the modules beside one suite file."""

    def __init__(self, folder: Path) -> None:
        self.beside = look_beside(folder)
        self.named: list[str] = []
        self.functions: dict[str, Callable[..., Any]] = {}

    def answer(self, request: Mapping[str, Any]) -> Answer:
        """What comes of a request: `do` says which."""
        try:
            match request["do"]:
                case "import":
                    return self._import(request["module"])
                case "find":
                    return self._find(request["function"])
                case "hash":
                    return {"hash": source_hash(self.named, self.beside)}
                case "score":
                    return self._score(request)
                case _:
                    return self._decide(request)
        except (CannotImportError, CannotBeCalledError) as error:
            return {"mistake": str(error)}

    def _import(self, name: str) -> Answer:
        """All checks that are registered now, each with where it stands, and its mistake or whether it takes the context."""
        self._load(name)
        found = {key: (f"{one.module}.{one.name}", one.function) for key, one in REGISTRY.checks.items()}
        return {"checks": {key: {"where": where} | _taken(function) for key, (where, function) in found.items()}}

    def _find(self, dotted: str) -> Answer:
        """Which of run, reply and context the function takes."""
        name, _, last = dotted.rpartition(".")
        module = sys.modules[name] if name in self.named else self._load(name)
        found = getattr(module, last, None)
        if not callable(found):
            raise CannotImportError(f"the module {name!r} has no function {last!r}")
        wants = wanted(found)
        self.functions[dotted] = found
        return {"wants": list(wants)}

    def _load(self, name: str) -> ModuleType:
        module = load(name, self.beside)
        if name not in self.named:
            self.named.append(name)
        return module

    def _score(self, request: Mapping[str, Any]) -> Answer:
        """Evalstone's way: (sample, output), or with the context."""
        given: list[Any] = [Sample(**request["sample"]), Output(**request["output"])]
        if request["run"] is not None:
            given.append(Context(tree_text.from_json(request["run"]), request["context"]))
        return self._call(REGISTRY.checks[request["key"]].function, *given)

    def _decide(self, request: Mapping[str, Any]) -> Answer:
        """The native way: what it takes, by name."""
        given = dict(request["given"])
        if "run" in given:
            given["run"] = tree_text.from_json(given["run"])
        return self._call(self.functions[request["function"]], **given)

    def _call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Answer:
        try:
            return as_score(function(*given, **named)).plain()
        except NotAScoreError as error:
            return {"broke": str(error)}
        except BaseException as error:  # noqa: BLE001  also SystemExit: one function must not end the others
            return {"broke": f"raised {told(error, self.beside)}"}


def _taken(function: Callable[..., Any]) -> Answer:
    try:
        return {"context": takes_context(function)}
    except CannotBeCalledError as error:
        return {"mistake": str(error)}


def stand_in() -> None:
    """Modules written for evalstone import its `check`, and register here."""
    module = ModuleType("evalstone", "`check` and `Score` of tracegrade, for modules that an evalstone file names.")
    vars(module).update(check=check, Score=Score)
    sys.modules["evalstone"] = module


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """The first request names the folder; `seconds` of each is its limit."""
    program: Program | None = None
    with Path(os.devnull).open("w") as nowhere:
        while line := requests.readline():
            request = json.loads(line)
            faulthandler.dump_traceback_later(request["seconds"] + GRACE_SECONDS, exit=True, file=nowhere)
            if program is None:
                program, answer = _begin(request), {}
            else:
                answer = program.answer(request)
            faulthandler.cancel_dump_traceback_later()
            answers.write(json.dumps(answer).encode() + b"\n")
            answers.flush()


def _begin(request: Mapping[str, Any]) -> Program:
    if request["evalstone"]:
        stand_in()
    return Program(Path(request["folder"]))


def main() -> None:
    """The process: requests come on standard input, and nothing but answers goes where standard output was."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.argv[1:] = []
    sys.dont_write_bytecode = True  # nothing is left beside a suite, and no older code is run in place of its source
    serve(requests, answers)
    os._exit(0)  # whatever threads the functions left behind
