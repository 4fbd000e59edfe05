"""The gate of free SQL: nothing hostile passes, and what people need does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.answer.gate import MAX_LENGTH, check
from collector.store.errors import RefusedStatement
from tests.answer.blocks import Block, hostile, read


@pytest.mark.parametrize("block", hostile(), ids=lambda block: block.title)
def test_hostile_statements_are_refused(block: Block):
    """Each hostile statement is refused with a sentence (X-22)."""
    with pytest.raises(RefusedStatement, match=r"\w+"):
        check(block.sql)


@pytest.mark.parametrize("block", read("fine.sql"), ids=lambda block: block.title)
def test_useful_statements_pass(block: Block):
    """Each statement of fine.sql passes."""
    check(block.sql)


def test_there_are_many_hostile_statements():
    """The corpus stays a corpus, which is run again on every DuckDB (X-25)."""
    assert len(hostile()) >= 30


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT * FROM spanz", "Did you mean spans"),
        ("SELECT lenght(name) FROM spans", "The function lenght is not allowed here. Did you mean length"),
        ("DELETE FROM spans", "not DELETE"),
        ("SELECT 1; SELECT 2", "Exactly one statement is allowed, not 2"),
        ("WITH x AS (DELETE FROM spans RETURNING *) SELECT * FROM x", "DELETE is not allowed inside of a statement"),
        ("SELECT * FROM evidence.spans", "These may be read: approvals"),
        ("SELEC 1", "syntax error"),
        ("SELECT '" + "x" * MAX_LENGTH + "'", "longer than"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_is_allowed(sql: str, said: str):
    """The message names what is not allowed and what would be."""
    with pytest.raises(RefusedStatement, match=said):
        check(sql)


def test_tables_of_extensions_can_be_allowed():
    """Further relations pass by their full name, and not by a part of it."""
    check("SELECT * FROM grader.gradings", ["grader.gradings"])
    with pytest.raises(RefusedStatement):
        check("SELECT * FROM gradings", ["grader.gradings"])


@given(st.text(alphabet="SELECT FROMWHR*();'\"-$?1,spanx\n", max_size=60))
def test_any_text_is_decided(text: str):
    """Whatever is typed, the gate passes it or refuses it with a sentence."""
    try:
        check(text)
    except RefusedStatement as refused:
        assert str(refused)  # noqa: PT017
