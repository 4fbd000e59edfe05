"""Suites whose author's own functions judge: the modules of the test data, or what a test writes, beside a suite."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from grader.case import Suite
from grader.code.process import Permission
from grader.formats import evalstone, native
from grader.syntax.mistakes import SuiteError
from tests.grader.evalstone_files import SAMPLE, config

OWN = Path(__file__).parents[1] / "data" / "code" / "own"
ALLOWED = Permission(seconds=30)
QUICK = Permission(seconds=0.5)
"""For functions that never return."""


def beside(folder: Path, **modules: str) -> Path:
    """The folder with the modules of the test data, and with these (name and source)."""
    shutil.copytree(OWN, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def stone(
    folder: Path,
    *keys: str,
    imports: Any = "mychecks",
    allowed: Permission | None = ALLOWED,
    sample: Any = None,
    **parts: Any,
) -> Suite:
    """An evalstone suite in the folder, with these checks on one sample."""
    suites = {"main": {"dataset": "d", "checks": list(keys)} | parts.pop("suite", {})}
    with tempfile.TemporaryDirectory() as elsewhere:
        data = Path(elsewhere) / "d.jsonl"
        data.write_text(json.dumps(SAMPLE | (sample or {})))
        text = json.dumps(config(imports=imports, datasets={"d": str(data)}, suites=suites, **parts))
        (suite,) = evalstone.read(folder / "evalstone.yaml", text, allowed)
    return suite


def plain(folder: Path, *functions: str, allowed: Permission | None = ALLOWED, head: str = "") -> Suite:
    """A native suite in the folder, whose case `a` is judged by these functions."""
    items = ", ".join(f"{{python: {f}}}" for f in functions)
    text = f"tracegrade: 1\nsuite: s\n{head}\ncases:\n  - {{name: a, request: hello, expect: [{items}]}}\n"
    return native.read(folder / "suite.yaml", text, allowed)


def mistakes(made: Any, *arguments: Any, **named: Any) -> list[str]:
    """What is wrong, each as `field: message`; empty where it is sound."""
    try:
        made(*arguments, **named)
    except SuiteError as error:
        return [f"{m.field}: {m.message}" for m in error.mistakes]
    return []
