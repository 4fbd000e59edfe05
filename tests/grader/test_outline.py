"""The compiled suite as it is shown."""

import dataclasses

import orjson
import pytest

from grader import outline
from grader.formats import native
from grader.report.report_format import Page
from tests.grader.suites import data, suite

CASES = """  - name: asked
    request: {order: A-1}
    expect:
      - called: pay
        times: 1
        severity: minor
        unknown: fail
        with: {amount: {$between: [0, 50]}, kind: {$schema: {type: string}}}
      - judge: friendly
  - name: always
    when: {called: pay}
    expect: [{child: helper, payload: 'payload.x == 1', expect: [{calls: [mail, mail]}]}]
  - {name: by name, match: name, expect: [{python: mine.check}]}
  - {name: part, request: refund, match: contains}
"""


def test_each_check_stands_there_with_its_policy_and_every_parameter() -> None:
    """Kind, label, severity, the policy for unknown, the type of its primitive, defaults written out."""
    text = outline.render(suite(CASES), Page(width=200))
    assert "1 called pay  called, minor, unknown → fail" in text
    assert 'Count  least 1, most 1, scope "tree"' in text
    assert 'wanted: Wanted  tool "pay", names "qualified"' in text
    assert "fields.amount: Between  low 0, high 50" in text
    assert 'fields.kind: Conforming  schema {"type":"string"}' in text
    assert "2 judge friendly  judge, critical, unknown → not_graded" in text
    assert "3 status completed (implied)  status, critical, unknown → indeterminate" in text
    assert 'body[0]: Condition  source "payload.x == 1", roots ["payload","payload_raw","context"]' in text
    assert 'body[1]: Multiset  match "exactly", scope "tree"' in text
    assert "gate: Shares  min_samples 1" in text
    assert "notice: `python: mine.check` was not run" in text


def test_each_case_says_which_runs_it_looks_at() -> None:
    """By its request, by its name, or all that are selected."""
    text = outline.render(suite(CASES), Page(width=200))
    assert 'asked: runs that carry its name, else whose input is {"order":"A-1"}' in text
    assert "always: a policy for every selected run where `when` is met" in text
    assert "when 1 called pay" in text
    assert "by name: runs that carry its name, line" in text
    assert 'part: runs that carry its name, else whose input contains "refund"' in text


def test_json_has_every_field_of_the_definitions() -> None:
    """Generic: whatever fields a suite, case or check has, with the hashes that results name."""
    found = native.read(*data("refunds.yaml"))
    plain = orjson.loads(orjson.dumps(outline.plain(found)))
    assert plain.keys() == {f.name for f in dataclasses.fields(found)} - {"text"} | {"type"}
    assert (plain["hash"], plain["format"], plain["gate"]["type"]) == (found.hash, "native", "Shares")
    for case, told in zip(found.cases, plain["cases"], strict=True):
        assert told.keys() == {f.name for f in dataclasses.fields(case)} | {"type"}
        assert told["hash"] == case.hash
        for check, shown in zip(case.expect, told["expect"], strict=True):
            assert shown.keys() == {f.name for f in dataclasses.fields(check)} | {"type"}
            assert shown["primitive"]["type"] == type(check.primitive).__name__
            init = {f.name for f in dataclasses.fields(check.primitive) if f.init}  # ty: ignore[invalid-argument-type]
            assert shown["primitive"].keys() == init | {"type"}


@pytest.mark.parametrize("width", [40, 80, 120])
def test_it_fits_the_terminal(width: int) -> None:
    """Long lines are folded, not cut."""
    text = outline.render(native.read(*data("refunds.yaml")), Page(width=width))
    assert max(map(len, text.splitlines())) <= width


def test_notices_and_cases_left_out_are_told() -> None:
    """What another format says of its suite."""
    made = suite("  - {name: a, expect: [{called: f}]}\n")
    case = dataclasses.replace(made.cases[0], left_out="a person answers")
    text = outline.render(dataclasses.replace(made, cases=(case,), notices=("timeout: not applicable",)), Page())
    assert "left out by --tenant-gate: a person answers" in text
    assert "notice: timeout: not applicable" in text
