"""Pieces are found by scanning their folder."""

import sys
from pathlib import Path

import pytest

from grader.pieces import forms, scan

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("package", "attribute"),
    [("grader.checks", "FORMS"), ("grader.formats", "FORMAT"), ("grader.report.formats", "FORMAT")],
)
def test_every_piece_is_found_and_has_its_test_file(package: str, attribute: str) -> None:
    """One piece, one file, one test file of the same name."""
    folder = ROOT / package.replace(".", "/")
    found = scan(package, attribute)
    assert set(found) == {p.stem for p in folder.glob("*.py")} - {"__init__"}
    for name in found:
        assert (ROOT / "tests" / package.replace(".", "/") / f"test_{name}.py").is_file(), f"{name} has no test file"


def test_every_form_has_one_key_and_says_what_it_is() -> None:
    """The key names the check in a suite; it is no sibling of any other check, so items are told apart."""
    siblings = {f.alias or n for form in forms().values() for n, f in form.model_fields.items()}
    for key, form in forms().items():
        assert key == form.KEY
        assert key in {f.alias or n for n, f in form.model_fields.items()}
        assert form.__doc__
        others = [f for k, f in forms().items() if k != key]
        assert all(key not in {f.alias or n for n, f in o.model_fields.items()} for o in others)
    assert siblings > set(forms())


def test_a_stray_file_stops_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not passed over in silence."""
    (tmp_path / "strays").mkdir()
    (tmp_path / "strays" / "__init__.py").write_text("")
    (tmp_path / "strays" / "good.py").write_text("PIECE = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert scan("strays", "PIECE") == {"good": 1}
    (tmp_path / "strays" / "stray.py").write_text("")
    scan.cache_clear()
    try:
        with pytest.raises(AttributeError):
            scan("strays", "PIECE")
    finally:
        scan.cache_clear()
        for name in [n for n in sys.modules if n.startswith("strays")]:
            del sys.modules[name]
