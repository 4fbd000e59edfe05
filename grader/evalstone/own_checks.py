"""Checks that the modules of `imports:` register: functions of the author's own (S2-22, S2-54, S2-55)."""

from collections.abc import Mapping
from typing import Any

from grader.checks.python import Registered
from grader.code.process import CodeProcess
from grader.evalstone.check_types import CheckType
from grader.evalstone.datasets import Sample
from grader.evalstone.reading import Around, Make
from grader.scene import Primitive
from grader.syntax.foreign import Fields

KIND = "python"


def read(top: Fields, around: Around) -> dict[str, CheckType]:
    """The checks by key, once all modules are imported in their order; none where no code may run.

    A key that the file's own `checks` have too is a mistake, as are modules that cannot be imported (S2-55).
    """
    modules = top.texts("imports", single=True)
    if around.allowed is None or not modules:
        return {}
    process = CodeProcess(around.folder, around.allowed, evalstone=True)
    found: Mapping[str, Any] = {}
    for number, module in enumerate(modules):
        answer = process.ask(do="import", module=module)
        if "mistake" in answer:
            top.sheet.wrong(("imports", number), f"{module}: {answer['mistake']}")
        else:
            found = answer["checks"]
    known = top.values.get("checks")
    for key, one in found.items():
        if isinstance(known, dict) and key in known:
            top.sheet.wrong(("checks", key), f"{one['where']} has the key {key!r}, too")
        if "mistake" in one:
            top.wrong("imports", f"{one['where']} {one['mistake']}")
    code = process.hash if found else ""
    sound = {key: one for key, one in found.items() if "mistake" not in one}
    return {key: CheckType(KIND, _make(key, one["context"], code, process)) for key, one in sound.items()}


def _make(key: str, takes_context: bool, code: str, process: CodeProcess) -> Make:
    def make(sample: Sample) -> Primitive:
        return Registered(key=key, sample=sample.plain(), takes_context=takes_context, code=code, process=process)

    return make
