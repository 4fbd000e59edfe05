"""Patterns in the spelling of another engine."""

import re
import sys
import unicodedata

import pytest
import re2

from grader.expressions.regex_syntax import from_javascript, with_unicode_classes


@pytest.mark.parametrize(
    ("pattern", "python"),
    [
        ("(?<year>a)\\k<year>$", "(?P<year>a)(?P=year)\\Z"),
        ("(?<=a)(?<!b)", "(?<=a)(?<!b)"),
        ("[$](?<x>.)", "[$](?P<x>.)"),
        ("\\$\\(?<", "\\$\\(?<"),
        ("[]$]$", "[]$]\\Z"),
        ("(?m)a$", "(?m)a$"),
    ],
)
def test_from_javascript(pattern: str, python: str) -> None:
    """Groups, references and the end are respelled; what is escaped or between brackets is not."""
    assert from_javascript(pattern, multiline=False) == python


def test_from_javascript_with_lines() -> None:
    """Where `$` ends lines, both write it alike."""
    assert from_javascript("a$", multiline=True) == "a$"


@pytest.mark.parametrize("pattern", [r"\bx", r"x\B", r"[^\W\d]", r"[\S]"])
def test_what_re2_cannot_say(pattern: str) -> None:
    """Word limits in Unicode, and opposites within brackets."""
    assert with_unicode_classes(pattern) is None


@pytest.mark.parametrize("name", [r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"[\d]", r"[^\w-]", r"[\D]", r"[^\s]"])
def test_classes_are_those_of_python(name: str) -> None:
    """Every character that this Python knows is in the class, or is not, for both."""
    spelled = with_unicode_classes(name)
    assert spelled is not None
    python, linear = re.compile(f"{name}+"), re2.compile(f"{spelled}+")
    text = "".join(c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) not in ("Cn", "Cs"))
    assert len(text) > 200_000
    assert python.findall(text) == linear.findall(text)
