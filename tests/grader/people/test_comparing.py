"""Judges beside labels, over a real store and a server that speaks the Messages API."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector import Store, UserError, connect
from grader.case import Suite
from grader.grade import Options, grade
from grader.judge.judges import Limits
from grader.judge.options import JudgeOptions
from grader.people import stored
from grader.people.agreement_text import Compared
from grader.people.comparing import Asked, compare, compared
from grader.people.label_file import write
from grader.results import extension
from grader.suites import read_suites
from tests.grader.judge.api import Api, Said, serving
from tests.grader.people.stores import fill, label, project
from tests.grader.people.stores import stored as filled
from tests.grader.suites import suite as native

NOBODY = JudgeOptions(limits=Limits(calls=0))
POLITE = {"polite": {"type": "judge", "rubric": "Is it polite?"}}
LEVELS = {"done": 5, "no": 2, "well": 3}


def by_reply(asked: dict[str, object], _number: int) -> Said:
    """Levels by the reply that is judged."""
    text = json.dumps(asked["messages"])
    found = next(level for reply, level in LEVELS.items() if f"\\n{reply}\\n" in text)
    return Said(json.dumps({"reasoning": f"level {found}", "level": found}))


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """A judge of levels."""
    with serving() as found:
        found.says = by_reply
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
        yield found


@pytest.fixture
def store() -> Iterator[Store]:
    """Runs of s1, s2 and s3 with these replies."""
    with connect(":memory:", extensions=[extension()]) as opened:
        fill(opened, list(LEVELS))
        yield opened


def figures(store: Store, suite: Suite, asked: Asked) -> list[Compared]:
    return compared(store, suite, asked, asked.judging.judges(store))


def test_stored_verdicts_are_compared_and_nobody_is_asked(api: Api, store: Store, tmp_path: Path) -> None:
    """The judge passes one, a person two: agreement two of three, with levels on both sides."""
    path = project(tmp_path, POLITE)
    (suite,) = read_suites([path])
    levels = [("s1", "done", 5), ("s2", "no", 2), ("s3", "well", 4)]
    stored.append(store, [label(s, o, n >= 4, value=(n - 1) / 4, check="polite") for s, o, n in levels])
    asked = Asked(check=None, judging=NOBODY)
    (before,) = figures(store, suite, asked)
    assert (before.figures.compared, before.figures.without_verdict, api.requests) == (0, 3, [])
    grade(store, [suite], Options(quiet_seconds=None, judging=JudgeOptions()))
    assert len(api.requests) == 3
    gradings = store.sql("SELECT count(*) AS n FROM gradings")["n"][0].as_py()
    (found,) = figures(store, suite, asked)
    told = found.figures
    assert (found.judge, found.check, len(api.requests)) == ("polite", "polite", 3)
    assert (told.compared, told.false_pass, told.false_fail) == (3, 0, 1)
    assert told.agreement == pytest.approx(2 / 3)
    assert told.kappa == pytest.approx(0.4)
    assert told.weighted_kappa == pytest.approx(1 - 3 / 29)
    (odd,) = told.differing
    assert (odd.case, odd.judge.outcome, odd.label.outcome) == ("s3", "fail", "pass")
    assert "level 3" in odd.judge.sentence
    assert store.sql("SELECT count(*) AS n FROM gradings")["n"][0].as_py() == gradings


def test_with_ask_what_is_missing_is_asked(api: Api, store: Store, tmp_path: Path) -> None:
    """And kept, so that the next time nobody is."""
    (suite,) = read_suites([project(tmp_path, POLITE)])
    stored.append(store, [label("s1", "done", check="polite")])
    (found,) = figures(store, suite, Asked(check=None, judging=JudgeOptions()))
    assert (found.figures.compared, found.figures.without_label, len(api.requests)) == (1, 2, 3)
    (again,) = figures(store, suite, Asked(check=None, judging=NOBODY))
    assert (again.figures.compared, len(api.requests)) == (1, 3)


def test_labels_of_another_name_are_chosen(api: Api, store: Store, tmp_path: Path) -> None:
    """Those of no check by name, too; without a choice only those of the judge's own name count. The file stands in."""
    (suite,) = read_suites(
        [project(tmp_path, POLITE | {"kind": POLITE["polite"], "length": {"type": "length", "max_words": 9}})]
    )
    write(
        tmp_path / "labels.jsonl",
        [label("s1", "done", check="tone"), label("s2", "no", check="kind"), label("s3", "well")],
    )

    def both(check: str | None) -> dict[str, int]:
        found = figures(store, suite, Asked(check=check, judging=JudgeOptions()))
        return {one.judge: one.figures.compared for one in found}

    assert both(None) == {"polite": 0, "kind": 1}
    assert both("tone") == {"polite": 1, "kind": 1}
    assert both("") == {"polite": 1, "kind": 1}
    assert both("kind") == {"kind": 1}


def test_native_judges_are_compared_too(api: Api, store: Store) -> None:
    """By their own names; `when` and other checks change nothing."""
    api.says = lambda _asked, _n: Said('{"reasoning": "because", "met": true}')
    cases = "  - {name: s1, request: hello 1, expect: [{called: nothing}, {judge: Is polite}]}\n"
    stored.append(store, [label("s1", "done", False, check="judge Is polite")])
    (found,) = figures(store, native(cases), Asked(check=None, judging=JudgeOptions()))
    assert (found.figures.compared, found.figures.false_pass, found.figures.weighted_kappa) == (1, 1, None)


def test_the_command_prints_and_ends_2_where_nothing_was_compared(
    api: Api, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A suite without a judge is a message."""
    place, path = filled(tmp_path, ["done"]), project(tmp_path, POLITE, samples=1)
    assert compare([path], place, Asked(check=None, judging=NOBODY), [extension()]) == 2
    assert "nothing to compare: 1 output without a label" in capsys.readouterr().out
    with connect(place, extensions=[extension()]) as opened:
        stored.append(opened, [label("s1", "done", check="polite")])
    assert compare([path], place, Asked(check=None, judging=JudgeOptions(), as_json=True), [extension()]) == 0
    assert json.loads(capsys.readouterr().out)["judges"][0]["agreement"] == 1
    with pytest.raises(UserError, match="No check of these suites asks a judge"):
        compare([project(tmp_path, {"c": {"type": "human"}})], place, Asked(check=None, judging=NOBODY), [])
