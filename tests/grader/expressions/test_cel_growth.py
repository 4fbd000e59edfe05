"""What an evaluation may build."""

import pytest

from grader.expressions.cel_data import clean
from grader.expressions.cel_growth import MAX_BYTES, growth, texts

CALLS = {"tool_calls": [{"tool": "orders", "function": "lookup", "target": "", "agent": "a"}] * 200}
DOUBLED = "[output]" + ".map(a, a + a)" * 30 + "[0].size() > 0"


@pytest.mark.parametrize(
    "source",
    [
        "tool_calls.filter(c, c.function == 'refund').size() == 1",
        "'a.b' in tool_calls.map(c, c.tool + '.' + c.function) && 'c.d' in tool_calls.map(c, c.tool + '.' + c.function)",
        "tool_calls.all(a, tool_calls.exists(b, a.tool == b.tool || b.tool in ['x', 'y', 'z']))",
        "output + 'x' == 'y' || tool_calls.size() > 5",
        "tool_calls.map(c, [c.tool, c.function]).size() == 3",
    ],
)
def test_what_people_write_is_let_through(source: str) -> None:
    """Filters, names put together and nested loops over 200 calls are far from the limit."""
    assert growth(source).most(clean(CALLS)) < MAX_BYTES / 10


@pytest.mark.parametrize(
    ("source", "data"),
    [
        (DOUBLED, {"output": "x" * 10}),
        (DOUBLED.replace("a + a", "[a, a]"), {"output": 1}),
        ("tool_calls.map(a, tool_calls.map(b, output + 'x'))", CALLS | {"output": "x" * 1_000_000}),
        (DOUBLED.replace("[output]", "['" + "x" * 100 + "']"), {}),
        ("r'\\'.size() > 0 || " + DOUBLED, {"output": "x" * 10}),
        (DOUBLED.replace(".map(", " . map\n("), {"output": "x" * 10}),
        ("false && (true || " + DOUBLED + ")", {"output": "x" * 10}),
    ],
)
def test_what_would_fill_the_memory_is_seen(source: str, data: dict) -> None:
    """Doubling, step by step, of texts and of lists; and copies of a large text."""
    assert growth(source).most(clean(data)) > MAX_BYTES


def test_texts() -> None:
    """Literals as CEL writes them, with their places; a comment is none."""
    source = "'a\\'b' + r\"c\\\" + '''d'\ne''' // 'f'\n + b'g'"
    assert list(texts(source)) == [(0, "'a\\'b'"), (9, 'r"c\\"'), (17, "'''d'\ne'''"), (39, "'g'")]


def test_a_sign_within_a_text_joins_nothing() -> None:
    """Only what stands outside of literals counts."""
    assert growth("tool_calls.exists(c, c.tool == 'a+b,c,d')").most(clean(CALLS)) == 0
