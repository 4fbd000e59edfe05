"""Who answers a check that wants a label: the store, or a file, and why there is none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector import Store, connect
from grader.asking import CENTER, Answer, LabelWanted
from grader.judge.labels import Labels
from grader.people import stored
from grader.people.label import Label
from grader.people.label_file import write
from grader.results import extension
from tests.grader.people.stores import label

DONE = label("s", "done").output_hash


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store."""
    with connect(":memory:", extensions=[extension()]) as opened:
        yield opened


def ask(store: Store, folder: Path, source: str = "", check: str | None = None, output: str = DONE) -> Answer:
    wanted = LabelWanted(sample="s", output_hash=output, check=check, run="r", source=source, folder=str(folder))
    answers = Labels(store).answers([wanted])
    assert list(answers) == [wanted.key]
    return answers[wanted.key]


def labels(folder: Path, *found: Label, name: str = "labels.jsonl") -> Path:
    path = folder / name
    write(path, found)
    return path


def test_later_lines_and_later_rows_win(store: Store, tmp_path: Path) -> None:
    """Also over an earlier label of the run itself under another name."""
    found = [label("s", "done"), label("s", "done", False, labeler="bob", notes="rude")]
    labels(tmp_path, *found, label("t", "done"), label("s", "other"))
    told = {"value": 0.0, "passed": False, "notes": "rude", "labeler": "bob"}
    assert ask(store, tmp_path, "labels.jsonl").value == told
    stored.append(store, [label("other name", "done", run_id="r"), *found])
    assert ask(store, tmp_path, CENTER).value == told
    stored.append(store, [label("other name", "done", run_id="r")])
    assert ask(store, tmp_path, CENTER).value["passed"] is True


def test_the_store_answers_by_default_once_it_has_labels_of_the_check(store: Store, tmp_path: Path) -> None:
    """Else the file beside the suite does; never both, and a file that is not read any more is told."""
    labels(tmp_path, label("s", "done", False, check="tone"))
    assert ask(store, tmp_path, check="tone").value["passed"] is False
    stored.append(store, [label("t", "done", check="accuracy")])
    assert ask(store, tmp_path, check="tone").value["passed"] is False
    stored.append(store, [label("t", "done", check="tone")])
    error = ask(store, tmp_path, check="tone").error
    assert "the store has no label for this output of 's'" in error
    assert "labels.jsonl is not read, since the store has labels" in error
    stored.append(store, [label("s", "done", check="tone")])
    assert ask(store, tmp_path, check="tone").value["passed"] is True
    assert ask(store, tmp_path, "labels.jsonl", check="tone").value["passed"] is False


def test_without_any_label_the_sentence_says_what_to_do(store: Store, tmp_path: Path) -> None:
    """And names the file that was looked for."""
    error = ask(store, tmp_path).error
    assert "labels.jsonl cannot be read: No such file" in error
    assert "`tracegrade label` asks for one" in error
    assert (
        "the store has no label for this output of 's'; `tracegrade label` asks for one"
        in ask(store, tmp_path, CENTER).error
    )


def test_the_nearest_miss_is_told(store: Store, tmp_path: Path) -> None:
    """Another output of the sample, or another check's label of the output."""
    path = labels(tmp_path, label("s", "before", check="tone"))
    assert "labels.jsonl has no label for this output of 's', only of other outputs" in ask(store, tmp_path).error
    labels(tmp_path, label("s", "done", check="tone"), label("s", "done"))
    error = ask(store, tmp_path, path.name, "accuracy").error
    assert "no label for this output of 's' of this check, only of no check by name, of 'tone'" in error


def test_a_line_that_is_no_label_is_told_and_loses_none_beside_it(store: Store, tmp_path: Path) -> None:
    """With file and line; where it would be the last word on this output, there is no other."""
    path = labels(tmp_path, label("s", "done"))
    whole = path.read_text()
    path.write_text("{broken\n" + whole)
    answer = ask(store, tmp_path)
    assert answer.value["passed"] is True
    assert f"({path}:1 is no label: not JSON" in answer.value["beside"]
    assert f"{path}:1 is no label: not JSON" in ask(store, tmp_path, output="f" * 16).error
    spoiled = whole.replace("true", '"yes"')
    path.write_text(whole + spoiled)
    assert ask(store, tmp_path).error == f"{path}:2 is no label: passed: must be true or false, is a text"
    path.write_text(spoiled + whole)
    assert ask(store, tmp_path).value["passed"] is True


def test_a_file_is_read_once(store: Store, tmp_path: Path) -> None:
    """However many outputs want a label of it."""
    path = labels(tmp_path, label("s", "done"))
    source = Labels(store)
    wanted = LabelWanted(sample="s", output_hash=DONE, check=None, source=path.name, folder=str(tmp_path))
    assert source.answers([wanted])[wanted.key].value["passed"] is True
    path.unlink()
    assert source.answers([wanted])[wanted.key].value["passed"] is True


def test_a_store_that_cannot_be_read_is_an_error_of_its_labels_alone(store: Store, tmp_path: Path) -> None:
    """S2-53: a collector without labels, too; a file is read all the same."""
    labels(tmp_path, label("s", "done"))
    with connect(":memory:") as without:
        for source in ("", CENTER):
            assert "the store's labels cannot be read" in ask(without, tmp_path, source).error
        assert ask(without, tmp_path, "labels.jsonl").value["passed"] is True
