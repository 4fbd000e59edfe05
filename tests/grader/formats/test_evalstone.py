"""evalstone files as files: every check type on real traces, several suites in one file, all mistakes at once."""

from pathlib import Path

import pytest

from collector import connect
from collector.decode import traces_protobuf
from grader.case import Suite
from grader.formats import evalstone
from grader.grade import Options, grade
from grader.grading import Grading, grade_suite
from grader.results import extension
from grader.sample import Candidate
from grader.suites import read_suites
from grader.syntax.mistakes import SuiteError
from tests import captures
from tests.grader.evalstone_files import config, mistakes, read

FOLDER = Path(__file__).parents[2] / "data" / "vocabularies" / "evalstone"
TEXT, VALUE = "pydantic-ai-v5__native__refund", "pydantic-ai-v5__native__structured"
"""One request; one run answers in words, one with a decision."""
WORDS = {"holds": "pass", "fails": "fail", "errors": "error"}


def suites() -> dict[str, Suite]:
    return {s.name: s for s in read_suites([FOLDER / "suites" / "evalstone.yaml"])}


def graded(suite: Suite, capture: str) -> Grading:
    runs = [Candidate(r, r.digest) for r in captures.load(capture).trees()]
    return grade_suite(suite, runs, id="g", now=2 * 10**18)


@pytest.mark.parametrize("name", ["replies", "safety", "trajectories", "judged", "decisions"])
def test_every_check_type_comes_to_what_its_key_says(name: str) -> None:
    """On a real trace: `…_holds` passes, `…_fails` fails, `…_errors` cannot be scored."""
    grading = graded(suites()[name], VALUE if name == "decisions" else TEXT)
    (sample,) = grading.samples
    assert {r.check: r.outcome for r in sample.results} == {
        r.check: WORDS[r.check.rpartition("_")[2]] for r in sample.results
    }
    assert all(r.sentence for r in sample.results)


def test_each_suite_has_a_gate_of_its_own() -> None:
    """Five of nine scores and one error are within the first gate; three of five are not within the second."""
    verdicts = {name: graded(suite, TEXT).decision for name, suite in suites().items() if name in ("replies", "safety")}
    assert {name: d.verdict for name, d in verdicts.items()} == {"replies": "passed", "safety": "failed"}
    assert verdicts["replies"].text == "gate passed: 5 of 9 scores passed (55%)"
    assert verdicts["safety"].text == "gate failed: 3 of 5 scores passed (60%), required 0.7"


def test_a_file_is_graded_over_a_store() -> None:
    """Recognised by content; each suite is a grading, and the run is found by its input."""
    with connect(":memory:", extensions=[extension()]) as store:
        for body in sorted((captures.FOLDER / TEXT).glob("???.pb")):
            store.ingest(traces_protobuf(body.read_bytes())).result()  # ty: ignore
        gradings = grade(store, list(suites().values()), Options(quiet_seconds=None))
    assert [g.suite.name for g in gradings] == ["replies", "safety", "trajectories", "judged", "decisions"]
    assert {len(g.samples) for g in gradings} == {1}


def test_a_check_of_ones_own_is_not_run() -> None:
    """The module that would define it raises when it is imported, and nothing does."""
    with pytest.raises(SuiteError, match=r"no_apology.*`imports:` \(mychecks\)"):
        read_suites([FOLDER / "suites" / "own" / "evalstone.yaml"])


def test_all_mistakes_are_told_at_once() -> None:
    """Of the file and of its datasets, each with file, field and the nearest name."""
    broken = config(
        datasets={"d": "d.jsonl", "e": "nowhere.jsonl", "f": 3},
        checks={"c": {"type": "exact", "pth": "a"}, "x": 1},
        suites={
            "one": {"dataset": "d", "checks": ["cc"], "gate": {"min_pass_rat": 1}},
            "two": {"dataset": "e", "checks": "c", "short_circuit": "maybe"},
            "three": {"dataset": "f", "checks": []},
            "four": {"dataset": "dd"},
            "five": {},
        },
    )
    assert mistakes(broken, "{}") == [
        "d.jsonl: input: is missing",
        "evalstone.yaml: checks.c.pth: unknown key 'pth'; did you mean 'path'?",
        "evalstone.yaml: checks.x: must be a mapping of keys to values, is a number",
        "evalstone.yaml: datasets.e: there is no file nowhere.jsonl",
        "evalstone.yaml: datasets.f: must be the path of a JSONL file",
        "evalstone.yaml: suites.five.dataset: is missing",
        "evalstone.yaml: suites.four.dataset: no dataset is called 'dd'; did you mean 'd'?",
        "evalstone.yaml: suites.one.checks[0]: no check is called 'cc'; did you mean 'c'?",
        "evalstone.yaml: suites.one.gate.min_pass_rat: unknown key 'min_pass_rat'; did you mean 'min_pass_rate'?",
        "evalstone.yaml: suites.two.checks: must be a list of texts, is a text",
        "evalstone.yaml: suites.two.short_circuit: must be true or false, is a text",
    ]


def test_a_file_without_suites_is_none() -> None:
    """It would grade nothing."""
    assert mistakes(config(suites={})) == ["evalstone.yaml: suites: names no suite"]


def test_the_order_of_keys_changes_no_hash() -> None:
    """Nor do comments, metadata or the target."""
    plain = config(checks={"c": {"type": "contains", "needles": ["a"], "require_all": False}})
    turned = dict(reversed(plain.items())) | {
        "checks": {"c": {"require_all": False, "needles": ["a"], "type": "contains"}}
    }
    turned["suites"] = {"main": {"checks": ["c"], "dataset": "d", "target": {"kind": "http"}}}
    assert [s.hash for s in read(plain)] == [s.hash for s in read(turned)]


def test_it_is_recognised_by_its_keys() -> None:
    """As YAML or JSON; other files that speak of suites are not taken for it."""
    assert evalstone.recognises('{"suites": {}, "datasets": {}}')
    assert not evalstone.recognises("suites: []\ndatasets: {}\n")
    assert not evalstone.recognises("suites: {a: [")
    assert not evalstone.recognises("tests:\n- {name: suites and datasets}\n")


def test_a_check_has_the_line_on_which_it_stands() -> None:
    """A report leads to it."""
    text = "datasets: {d: d.jsonl}\nchecks:\n  c:\n    type: exact\nsuites: {m: {dataset: d, checks: [c]}}\n"
    (suite,) = read(text)
    assert (suite.cases[0].expect[0].line, suite.cases[0].line) == (3, 5)


def test_prices_of_the_file_are_those_of_its_judges() -> None:
    """Dollars per million tokens by model; another form is told and not used."""
    (suite,) = read(config(prices={"m": {"input": 1, "output": 2}, "n": 5}))
    assert {model: (price.input, price.output) for model, price in suite.prices.items()} == {"m": (1.0, 2.0)}
    assert [n for n in suite.notices if "prices" in n] == [
        "`prices.n` is not used: a price is { input, output }, dollars per million tokens"
    ]
