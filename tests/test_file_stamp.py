"""Whether a file has changed."""

from pathlib import Path

from collector.file_stamp import stamp


def test_a_stamp_changes_with_the_file(tmp_path: Path):
    """Writing and replacing give another stamp, reading does not, and what is not there has none."""
    path = tmp_path / "a"
    assert stamp(path) is None
    path.write_text("x")
    first = stamp(path)
    path.read_text()
    assert first is not None
    assert stamp(path) == first
    path.write_text("xy")
    second = stamp(path)
    (tmp_path / "b").write_text("xy")
    (tmp_path / "b").replace(path)
    assert len({first, second, stamp(path)}) == 3


def test_links_are_followed(tmp_path: Path):
    """What counts is the file that a link leads to, as orchestrators mount secrets."""
    (tmp_path / "one").write_text("1")
    (tmp_path / "two").write_text("22")
    link = tmp_path / "link"
    link.symlink_to("one")
    before = stamp(link)
    link.unlink()
    link.symlink_to("two")
    assert stamp(link) != before
