"""The probes that the engines were chosen by, and the attacks on them, put to both languages.

A row of `probes.json` or `attacks.json` asks the same of CEL and of the Python-like language, each in its own words, with the
answer of each: true, false, null (not decided), "error" (CEL: could not be evaluated), or why it is refused at load. `row`
is what is probed; `stated` rows are those that the comparison of the engines wrote out one by one, the others complete a row.
"""

import re
from collections import Counter
from typing import Any

import pytest

from grader.expressions.bad_expression import BadExpression
from grader.expressions.dsl import compile_dsl
from tests.grader.expressions.probes import bounded, repeated, rows, spelled_out, with_absent
from tests.grader.expressions.test_cel import VARIABLES, outcome

ROOTS = (*VARIABLES, "invocations", "params")
LANGUAGES = ("cel", "dsl")
PROBES, ATTACKS = 61, 15


def each(name: str) -> list[Any]:
    """Every row in every language."""
    table = [row.values[0] for row in rows(name)]
    return [pytest.param(language, row, id=f"{language}-{row['name']}") for row in table for language in LANGUAGES]


def answer(language: str, row: dict[str, Any]) -> Any:
    """What the expression comes to, or with which words it is refused."""
    source, _ = row[language]
    values = spelled_out(with_absent(row["values"]))
    try:
        if language == "cel":
            return outcome(repeated(source), values)
        return compile_dsl(repeated(source), ROOTS).evaluate(values)
    except BadExpression as refused:
        return {"refused": str(refused)}


def holds(language: str, row: dict[str, Any]) -> None:
    """The answer is the row's; of a refusal, the words."""
    expected, found = row[language][1], answer(language, row)
    if isinstance(expected, dict):
        assert isinstance(found, dict), found
        assert re.search(expected["refused"], found["refused"])
    else:
        assert found is expected or found == expected == "error"


@pytest.mark.parametrize(("language", "row"), each("probes"))
def test_probe(language: str, row: dict[str, Any]) -> None:
    """Each language has its answer to it."""
    holds(language, row)


@pytest.mark.parametrize(("language", "row"), each("attacks"))
def test_attack(language: str, row: dict[str, Any]) -> None:
    """It is refused, fails or has its answer, and takes neither long nor much memory."""
    with bounded():
        holds(language, row)


@pytest.mark.parametrize(("name", "count", "stated"), [("probes", PROBES, 19), ("attacks", ATTACKS, 9)])
def test_all_of_them_are_put_to_both_languages(name: str, count: int, stated: int) -> None:
    """61 probes and 15 attacks in each; those that were written out one by one are all among them."""
    asked = Counter(param.values[0] for param in each(name))
    assert asked == dict.fromkeys(LANGUAGES, count)
    assert sum(row.values[0]["stated"] for row in rows(name)) == stated


def test_every_row_of_the_comparison_is_probed() -> None:
    """Twelve about right answers and eight about attacks, each with one that was written out."""
    for name, number in (("probes", 12), ("attacks", 8)):
        table = [row.values[0] for row in rows(name)]
        assert len({row["row"] for row in table if row["stated"]}) == number
