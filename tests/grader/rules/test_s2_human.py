"""Rules S2-51 to S2-53: a label counts for exactly one output, from one place, and what cannot be read never passes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collector import Store, connect
from grader.grade import Options, grade
from grader.grading import Grading
from grader.judge.options import JudgeOptions
from grader.outcome import Result
from grader.people import stored
from grader.people.label import Label
from grader.people.label_file import write
from grader.results import extension
from grader.suites import read_suites
from tests.grader.evalstone_files import refused
from tests.grader.people.stores import fill, label, project


@pytest.fixture
def store() -> Iterator[Store]:
    """A store with one run of the sample `s1`, which answered done."""
    with connect(":memory:", extensions=[extension()]) as opened:
        fill(opened, ["done"])
        yield opened


def graded(store: Store, folder: Path, gate: dict[str, Any] | None = None, **check: Any) -> Grading:
    """The grading of the one sample by one check of type `human`."""
    path = project(folder, {"c": {"type": "human"} | check}, samples=1)
    if gate:
        path.write_text(
            path.read_text().replace('"checks": ["c"]', f'"checks": ["c"], "gate": {gate}'.replace("'", '"'))
        )
    (found,) = grade(store, read_suites([path]), Options(quiet_seconds=None, judging=JudgeOptions()))
    return found


def result(store: Store, folder: Path, **check: Any) -> Result:
    (one,) = graded(store, folder, **check).samples[0].results
    return one


def file(folder: Path, *labels: Label, name: str = "labels.jsonl") -> None:
    write(folder / name, labels)


def test_S2_51_a_label_of_this_output_decides_and_later_lines_win(store: Store, tmp_path: Path) -> None:
    """Its value is the score's; the path is `labels`, beside the config."""
    file(tmp_path, label("s1", "done", value=0.25, passed=True), name="mine.jsonl")
    assert (
        result(store, tmp_path, labels="mine.jsonl").outcome,
        result(store, tmp_path, labels="mine.jsonl").value,
    ) == (
        "pass",
        0.25,
    )
    file(tmp_path, label("s1", "done"), label("s1", "done", False), name="mine.jsonl")
    assert result(store, tmp_path, labels="mine.jsonl").outcome == "fail"


@pytest.mark.parametrize("other", [label("s1", "Done"), label("s2", "done"), label("s1", "")])
def test_S2_51_no_label_for_this_sample_and_this_output_is_an_error(store: Store, tmp_path: Path, other: Label) -> None:
    """Another output of the sample, or the output of another one, does not count: never a pass."""
    file(tmp_path, other)
    found = result(store, tmp_path)
    assert (found.outcome, found.value) == ("error", None)
    assert "no label for this output of 's1'" in found.sentence
    assert "tracegrade label" in found.sentence


def test_S2_51_an_output_is_hashed_as_its_text(store: Store, tmp_path: Path) -> None:
    """The first 16 hex digits of the sha256, as files of the tool itself have them."""
    line = '{"sample_id": "s1", "output_hash": "a4c3ed04a95a3da1", "value": 1.0, "passed": true, "notes": "", '
    line += '"check": null, "labeler": "ann", "created_at": "2026-01-02T03:04:05Z", "raw": "p"}\n'
    (tmp_path / "labels.jsonl").write_text(line)
    assert result(store, tmp_path).outcome == "pass"


def test_S2_52_by_default_the_center_once_it_has_labels_else_the_file_beside_the_config(
    store: Store, tmp_path: Path
) -> None:
    """The store is the center, and is attached to a check as soon as it holds labels of it."""
    assert "labels.jsonl" in result(store, tmp_path).sentence
    file(tmp_path, label("s1", "done", False))
    assert result(store, tmp_path).outcome == "fail"
    stored.append(store, [label("s1", "done")])
    assert result(store, tmp_path).outcome == "pass"
    assert result(store, tmp_path, labels="labels.jsonl").outcome == "fail"


def test_S2_53_a_center_that_has_none_or_fails_is_an_error_that_the_gate_counts(tmp_path: Path) -> None:
    """Also where a file beside the config has one, and within a gate that asks for little else."""
    file(tmp_path, label("s1", "done"))
    unlabelled = {name: text for name, text in extension().queries.items() if name != "known_labels"}
    for queries, told in ((extension().queries, "the store has no label"), (unlabelled, "labels cannot be read")):
        with connect(":memory:", extensions=[_with(queries)]) as store:
            fill(store, ["done"])
            found = graded(store, tmp_path, {"max_error_rate": 0}, labels="center")
            assert [r.outcome for r in found.samples[0].results] == ["error"]
            assert told in found.samples[0].results[0].sentence
            assert found.decision.verdict == "failed"


def _with(queries: Any) -> Any:
    import dataclasses

    return dataclasses.replace(extension(), queries=queries)


def test_S2_53_check_selects_whose_labels_are_read(store: Store, tmp_path: Path) -> None:
    """A label of no check by name is none of a check that is named; without a name any label counts."""
    file(tmp_path, label("s1", "done", check="tone"), label("s1", "done", False))
    assert result(store, tmp_path, check="tone").outcome == "pass"
    assert result(store, tmp_path).outcome == "fail"
    file(tmp_path, label("s1", "done"))
    assert result(store, tmp_path, check="tone").outcome == "error"
    assert refused(type="human", chek="x")[0].startswith("chek: unknown key 'chek'; did you mean 'check'?")


@pytest.mark.parametrize(("level", "passed"), [(3, False), (4, True), (5, True)])
def test_S2_53_scaled_labels_pass_by_the_rule_of_judges(store: Store, tmp_path: Path, level: int, passed: bool) -> None:
    """From the second-highest level on."""
    from grader.people.label import given

    verdict = given(str(level), 5)
    assert verdict is not None
    stored.append(store, [label("s1", "done", passed=verdict[1], value=verdict[0], raw=verdict[2])])
    found = result(store, tmp_path)
    assert (found.outcome, found.value) == ("pass" if passed else "fail", (level - 1) / 4)
