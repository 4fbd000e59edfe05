"""Regular expressions of checks."""

import re
import time
import warnings
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.case import digest
from grader.expressions.regexes import BadPattern, Regex, TooSlow, compile_regex

PIECES = [
    "a", "b", "ü", ".", "^", "$", "|", "(", ")", "(?:", "[ab]", "[^a]", "[^\\w]", "*", "+", "?", "*?", "{2}", "{,2}",
    "{1,}", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\b", "\\B", "\\A", "\\Z", "\\n", "\\.", "\\x61", "\\141",
    "[\\d-z]", "[\\s\\w]", "[^\\s]",
    "[]\\d]", "[^\\W_]", "[\\D-]",
    "(?i:", "(?s:", "(?m:", "(?=", "(?!", "(?<=", "(?P<n>", "(?P=n)", "\\1", "[[:alpha:]]", "\\Q", "\\pL", "\\z",
    "\\C", "K", "[k-ü]", "++", "(?>",
]  # fmt: skip
TEXTS = st.text(st.sampled_from("abkKK ü_1٣.\n\r\v\x1c\u00a0\u2028\ud800"), max_size=8)
FLAGS = st.lists(st.sampled_from([re.IGNORECASE, re.MULTILINE, re.DOTALL, re.ASCII, re.VERBOSE])).map(
    lambda f: sum(set(f))
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), FLAGS, TEXTS)
@example("[[:alpha:]]", 0, "a")
@example("a{,2}b", 0, "aab")
@example("\\B", 0, "")
@example("K", int(re.IGNORECASE), "K")
@example("a$", 0, "a\n")
@example("(?m:a$)", 0, "a\nb")
@example("\\s", 0, "\v")
@example("\\W", 0, "\ud800")
@example("", 0, "ü")
@example("ü\\d", 0, "ü٣")
@example("[\\w-]+", 0, "ü-Ж")
@example("[]\\s]", 0, "\u2028")
def test_the_default_reading_is_that_of_python(pattern: str, flags: int, text: str) -> None:
    """Whatever searches, it finds what `re` finds; what `re` refuses is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = re.compile(pattern, flags)
        except re.error:
            with pytest.raises(BadPattern):
                compile_regex(pattern, flags=flags)
            return
        found = expected.search(text)
    assert compile_regex(pattern, flags=flags).search(text) == (found and found.span())


@pytest.mark.parametrize(
    ("pattern", "text", "span"),
    [
        (r"\d", "٣", None),
        (r"\w", "ü", None),
        (r"\bü", "aü", (1, 2)),
        ("a$", "a\n", None),
        (r"(?=a)a$", "a\n", None),
        (r"(?!x)\d", "٣", None),
        (r"(?<year>\d+)-\k<year>", "in 12-12", (3, 8)),
        (r"(?<=R-)\d+", "R-12", (2, 4)),
        (r"^(?!.*secret).*$", "a secret", None),
        (r"^(?!.*secret).*$", "nothing", (0, 7)),
        (r"[$](?=1)", "$1", (0, 1)),
        (r"\$(?=1)", "$1", (0, 1)),
        (r"\u00fc", "ü", (0, 1)),
        (r"(?i)ABC", "xabc", (1, 4)),
        ("x", "a\ud800x", (2, 3)),
        ("😀x", "aü😀x", (2, 4)),
    ],
)
def test_S0_15_the_ascii_reading(pattern: str, text: str, span: Any) -> None:
    """S0-15: letters and digits are those of ASCII, the end is the end, and lookaround works though RE2 has none."""
    assert compile_regex(pattern, ascii=True).search(text) == span


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=5).map("".join), TEXTS)
@example("\\C", "ü")
@example("\\B", "1ü")
def test_the_ascii_reading_answers_or_refuses(pattern: str, text: str) -> None:
    """Nothing but a bad pattern is raised, and a span lies within the text."""
    try:
        span = compile_regex(pattern, ascii=True).search(text)
    except BadPattern:
        return
    assert span is None or 0 <= span[0] <= span[1] <= len(text)


@pytest.mark.parametrize(
    ("pattern", "flags", "message"),
    [
        ("(", 0, "unterminated subpattern at position 0"),
        ("a{99999999999}", 0, "too large"),
        ("(" * 5_000, 0, "cannot be compiled"),
        ("a" * 10_001, 0, "allowed are 10,000"),
        ("a", 512, "unknown flags 512; known are sums of 2 IGNORECASE"),
        ("a", 4, "unknown flags 4"),
        ("a", -1, "unknown flags -1"),
        (None, 0, "is a text, not NoneType"),
        (r"\pL", 0, r"bad escape \\p"),
    ],
)
def test_refused(pattern: Any, flags: int, message: str) -> None:
    """The reason says what is wrong and where."""
    with pytest.raises(BadPattern, match=message):
        compile_regex(pattern, flags=flags)


def test_S0_15_refused_in_the_ascii_reading() -> None:
    """S0-15, S0-20: what neither engine takes is refused with the error text."""
    with pytest.raises(BadPattern, match="position"):
        compile_regex("(?<=a", ascii=True)


def test_S2_14_flags() -> None:
    """S2-14: the bits are those of `re`; 2 ignores case, and DEBUG is no more than a wish for output."""
    assert compile_regex("ABC", flags=2).search("xabc") == (1, 4)
    assert compile_regex("a # letter", flags=64).search("a") == (0, 1)
    assert compile_regex("^b.c", flags=8 | 16).search("a\nb\nc") == (2, 5)
    assert compile_regex("a", flags=128).search("a") == (0, 1)
    assert compile_regex("ABC", ignore_case=True) == Regex("ABC", 2)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^(a+)+$", "a" * 100_000 + "b"),
        ("(a|aa)+$", "a" * 100_000 + "b"),
        ("(.*a){20}", "a" * 19 + "b" * 100_000),
        ("(x+x+)+y", "x" * 100_000),
        (r"^(\w+\s?)*$", "word " * 20_000 + "!"),
    ],
)
@pytest.mark.parametrize("reading", ["ascii", "python"])
def test_hostile_patterns_take_linear_time(pattern: str, text: str, reading: str) -> None:
    """What makes a backtracking engine hang is answered at once."""
    regex = compile_regex(pattern, ascii=reading == "ascii")
    start = time.process_time()
    assert regex.search(text) is None
    assert time.process_time() - start < 5


@pytest.mark.parametrize("reading", ["ascii", "python"])
def test_a_search_that_only_re_can_do_is_ended(reading: str) -> None:
    """With lookahead the same pattern is too slow, and says so."""
    with pytest.raises(TooSlow, match="was ended"):
        compile_regex("(?=a)(a+)+$", ascii=reading == "ascii").search("a" * 60 + "b")


def test_regexes_have_a_definition() -> None:
    """Pattern, flags and reading make the difference, in equality and in the hash of a case."""
    variants = [compile_regex("a"), compile_regex("a", flags=2), compile_regex("a", ascii=True), compile_regex("b")]
    assert len({digest(v) for v in variants}) == len(set(variants)) == 4
    assert digest(compile_regex("a")) == digest(variants[0])
