"""The shape of the house: what is where, how it is called, how long it may be. Each message says what to do."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = ("collector", "grader", "tests", "examples", "proto", "docker")
LONGEST = 300
VAGUE = {"util", "utils", "helper", "helpers", "manager", "managers", "base", "core", "common", "misc", "stuff"}

TESTED_ELSEWHERE = {
    "collector/mark.py": "tests/test_mark.py",
    "collector/normalize/assemble/cluster.py": "tests/normalize/assemble/test_clusters.py",
    "collector/tree.py": "tests/test_tree.py",
    "grader/demo/agent.py": "tests/grader/test_demo.py",
    "grader/evalstone/answer_checks.py": "tests/grader/rules/test_s2_answers.py",
    "grader/evalstone/judged_checks.py": "tests/grader/rules/test_s2_judged.py",
    "grader/evalstone/safety_checks.py": "tests/grader/rules/test_s2_safety.py",
    "grader/evalstone/trajectory_checks.py": "tests/grader/rules/test_s2_trajectories.py",
    "grader/demo/script.py": "tests/grader/test_demo.py",
    "grader/demo/tools.py": "tests/grader/test_demo.py",
}
"""Modules without a test file of their own, and the file that tests them."""


def files(suffix: str, *folders: str) -> Iterator[Path]:
    """Our files of one kind, without what tools and packages left."""
    for folder in folders or CODE:
        for path in sorted((ROOT / folder).rglob(f"*{suffix}")):
            if not {"node_modules", "build", "__pycache__", "data"} & set(path.parts):
                yield path


def name(path: Path) -> str:
    """The path as one reads it in the repository."""
    return path.relative_to(ROOT).as_posix()


def home_of_tests(module: str) -> str:
    """Where the tests of a module belong: the same path below tests/, without `collector`."""
    folder, _, stem = module.removeprefix("collector/").removesuffix(".py").rpartition("/")
    return "/".join(filter(None, ("tests", folder, f"test_{stem}.py")))


MODULES = [name(p) for p in files(".py", "collector", "grader") if p.name not in ("__init__.py", "__main__.py")]
TESTS = [p for p in files(".py", "tests") if p.name.startswith("test_")]


@pytest.mark.parametrize("module", MODULES)
def test_each_module_has_its_test_file(module: str) -> None:
    """A stranger who looks for the tests of a module finds them under its name."""
    expected = TESTED_ELSEWHERE.get(module, home_of_tests(module))
    assert (ROOT / expected).is_file(), f"write {expected}, or list {module} in TESTED_ELSEWHERE with the reason"


def test_exceptions_are_modules() -> None:
    """The list of exceptions names modules that exist, so that it shrinks when they go."""
    assert set(TESTED_ELSEWHERE) <= set(MODULES)


@pytest.mark.parametrize("path", [p for suffix in (".py", ".sql", ".ts") for p in files(suffix)], ids=name)
def test_files_are_short_and_named_after_what_they_hold(path: Path) -> None:
    """No file is over 300 lines, and none has a name that could hold anything."""
    lines = len(path.read_text().splitlines())
    assert lines <= LONGEST, f"{name(path)} has {lines} lines: give one of its concerns a file of its own"
    words = {word for part in path.relative_to(ROOT).with_suffix("").parts for word in part.split("_")}
    assert not words & VAGUE, f"{name(path)}: say what it holds"


@pytest.mark.parametrize("path", TESTS, ids=name)
def test_each_test_states_a_fact(path: Path) -> None:
    """Every test has a docstring of one sentence, which is the fact that it proves."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            said = ast.get_docstring(node) or ""
            where = f"{name(path)}:{node.lineno} {node.name}"
            assert said, f"{where} has no docstring"
            assert said.rstrip().endswith("."), f"{where}: its docstring is no sentence"


def test_one_package_door_each() -> None:
    """Every folder with modules is a package with an `__init__` that says what it is for."""
    folders = {p.parent for p in files(".py", "collector", "grader")}
    for folder in folders:
        door = folder / "__init__.py"
        assert door.is_file(), f"{name(folder)} has no __init__.py"
        assert ast.get_docstring(ast.parse(door.read_text())), f"{name(door)} does not say what the folder is for"


def test_lock_pins_versions_and_names_no_host() -> None:
    """The lock holds nothing but pinned packages: no address of an index, no local path."""
    pins = (ROOT / "requirements.lock").read_text().splitlines()
    assert pins
    assert all("==" in pin and "/" not in pin and " @ " not in pin for pin in pins)


def test_top_level_is_fixed() -> None:
    """The top of the repository holds the named folders and files, and nothing that grew there."""
    known = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "Makefile", "requirements.lock"} | set(CODE)
    grown = {p.name for p in ROOT.iterdir() if not p.name.startswith(".")} - known
    assert not {g for g in grown if not g.endswith((".egg-info", ".duckdb", ".wal", ".json", ".ledger", ".spool"))}, (
        grown
    )
