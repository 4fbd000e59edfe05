"""Modules beside a suite: each test in a process of its own, as they are used."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = """
import json, sys
from pathlib import Path
sys.dont_write_bytecode = True
from grader.code.modules import CannotImportError, load, look_beside, source_hash
beside = look_beside(Path(sys.argv[1]))
told = []
for name in sys.argv[2:]:
    try:
        told.append(getattr(load(name, beside), "VALUE", None))
    except CannotImportError as error:
        told.append(str(error))
print(json.dumps([told, source_hash(sys.argv[2:], beside), sorted(beside.tops)]))
"""


def loaded(folder: Path, *names: str) -> Any:
    """What each module holds as VALUE or why it cannot be imported; the hash; whose modules are the author's."""
    command = [sys.executable, "-c", PROGRAM, str(folder), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with modules of several kinds."""
    for name, source in {
        "mine.py": "import helper\nVALUE = helper.VALUE",
        "helper.py": "VALUE = 'beside'",
        "orjson.py": "VALUE = 'beside, before what is installed'",
        "package/__init__.py": "from .part import VALUE",
        "package/part.py": "VALUE = 'part'",
        "bare/part.py": "VALUE = 'bare'",
        "json.py": "VALUE = 'not this'",
        "collector.py": "VALUE = 'not this'",
        "uses_json.py": "import json, collector\nVALUE = [json.dumps(1), collector.tree.__name__]",
        "broken.py": "def f(:\n",
        "raises.py": "import helper\n\n{}['secret']",
        "leaves.py": "raise SystemExit(0)",
        "needs.py": "import no_such_module",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mine", "beside"),
        ("orjson", "beside, before what is installed"),
        ("package", "part"),
        ("package.part", "part"),
        ("bare.part", "bare"),
        ("uses_json", ["1", "collector.tree"]),
        ("string", None),
    ],
)
def test_modules_are_looked_for_beside_the_suite_first(folder: Path, name: str, value: Any) -> None:
    """Before those that are installed, but never in the place of Python's own or of tracegrade's."""
    assert loaded(folder, name)[0] == [value]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("json", "'json' is the name of a module of Python or tracegrade; call yours something else"),
        ("collector", "'collector' is the name of a module of Python or tracegrade; call yours something else"),
        ("broken", "broken.py is no Python: invalid syntax (line 1)"),
        ("raises", "raised KeyError (line 3 of raises.py) when it was imported"),
        ("leaves", "raised SystemExit (line 1 of leaves.py) when it was imported"),
        ("needs", "it needs the module 'no_such_module', which is not there"),
        ("missing", "there is no module 'missing' beside the suite, and none is installed"),
        ("missing.part", "there is no module 'missing' beside the suite, and none is installed"),
    ],
)
def test_what_cannot_be_imported_is_told_without_data(folder: Path, name: str, message: str) -> None:
    """And does not keep the next module from being imported."""
    assert loaded(folder, name, "helper")[0] == [message, "beside"]


def test_the_hash_is_of_all_sources_from_beside_the_suite(folder: Path) -> None:
    """Of the module and of what it imports from there; not of what lies there beside."""
    first = loaded(folder, "mine")
    assert first[2] == ["helper", "mine"]
    (folder / "package" / "part.py").write_text("VALUE = 2")
    assert loaded(folder, "mine")[1] == first[1]
    (folder / "helper.py").write_text("VALUE = 'beside' ")
    assert loaded(folder, "mine")[1] != first[1]


def test_installed_packages_in_the_folder_are_not_the_author_s(folder: Path) -> None:
    """A project's `.venv` may stand beside its suites: what is in there is no source of a check."""
    where = folder / ".venv" / "lib"
    where.mkdir(parents=True)
    (where / "installed.py").write_text("VALUE = 1")
    (folder / "reaches.py").write_text(f"import sys\nsys.path.append({str(where)!r})\nimport installed\nVALUE = 1\n")
    first = loaded(folder, "reaches")
    assert (first[0], first[2]) == ([1], ["reaches"])
    (where / "installed.py").write_text("VALUE = 2")
    assert loaded(folder, "reaches")[1] == first[1]
