"""Suites written in tests."""

from pathlib import Path

from grader.case import Suite
from grader.formats import native

DATA = Path(__file__).parents[1] / "data" / "suites"


def suite(cases: str, head: str = "") -> Suite:
    """A native suite with these cases (YAML, indented by two)."""
    return native.read(Path("suite.yaml"), f"tracegrade: 1\nsuite: s\n{head}\ncases:\n{cases}")


def data(name: str) -> tuple[Path, str]:
    """A suite file of the test data."""
    path = DATA / name
    return path, path.read_text(encoding="utf-8")
