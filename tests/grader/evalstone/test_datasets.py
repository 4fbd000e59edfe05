"""JSONL datasets."""

from pathlib import Path

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.evalstone.datasets import default_id, read

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=5), lambda c: st.lists(c, max_size=3)
)


def written(folder: Path, text: str) -> Path:
    path = folder / "d.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_samples_have_the_line_they_stand_on(tmp_path: Path) -> None:
    """Blank lines and a byte order mark do not count."""
    found = read(written(tmp_path, '\ufeff{"id": "a", "input": 1}\n\n{"id": "b", "input": 2}\r\n'))
    assert [(s.id, s.input, s.line) for s in found.samples] == [("a", 1, 1), ("b", 2, 3)]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Each with its line and key."""
    text = '{"id": true, "input": 1, "tags": "t", "metadata": []}\nnope\n{"input": NaN}\n{"id": "a"}\n'
    found = [(m.line, m.field) for m in read(written(tmp_path, text)).mistakes]
    assert found == [(1, "id"), (1, "tags"), (1, "metadata"), (2, ""), (3, ""), (4, "input")]


def test_an_empty_file_holds_no_sample(tmp_path: Path) -> None:
    """It would grade nothing."""
    assert [m.message for m in read(written(tmp_path, "\n")).mistakes] == ["holds no sample"]


def test_a_file_that_cannot_be_read_is_a_mistake(tmp_path: Path) -> None:
    """Missing, or no UTF-8."""
    (tmp_path / "x").write_bytes(b"\xff\xfe")
    assert "cannot be read: not a text file" in str(read(tmp_path / "x").mistakes[0])
    assert "cannot be read" in str(read(tmp_path / "nowhere").mistakes[0])


def test_line_separators_inside_texts_end_no_line(tmp_path: Path) -> None:
    """Only a line feed does: U+2028 may stand in a text."""
    assert read(written(tmp_path, '{"id": "a", "input": "x\u2028y"}')).samples[0].input == "x\u2028y"


def test_a_default_id_hangs_on_the_values_alone() -> None:
    """Not on the order of keys."""
    assert default_id({"a": 1, "b": 2}, None) == default_id({"b": 2, "a": 1}, None)
    assert default_id("x", None) != default_id("x", "y")


@settings(max_examples=40)
@given(
    st.lists(
        st.binary(max_size=40)
        | JSON.map(orjson.dumps)
        | st.fixed_dictionaries({"id": JSON, "input": JSON}).map(orjson.dumps)
    )
)
def test_whatever_stands_in_a_file_is_samples_or_mistakes(lines: list[bytes]) -> None:
    """Nothing breaks, ids are unique, and no line is lost without a word."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "d.jsonl"
        path.write_bytes(b"\n".join(lines))
        found = read(path)
    assert len({s.id for s in found.samples}) == len(found.samples)
    assert found.samples or found.mistakes
    told = {s.line for s in found.samples} | {m.line for m in found.mistakes}
    if not any("UTF-8" in m.message for m in found.mistakes):
        text = b"\n".join(lines).decode("utf-8-sig")
        assert {n for n, line in enumerate(text.split("\n"), 1) if line.strip()} <= told
