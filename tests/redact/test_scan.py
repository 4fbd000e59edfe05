"""The one look at many texts: it may be wrong in saying yes, never in saying no."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.redact.rules import Rule, Rules
from collector.redact.scan import Scan
from collector.redact.walk import Walk

EMAIL = Rule("email", "mask", pattern=r"\b[a-z]+@[a-z]+\.com\b")
TEXTS = st.one_of(st.text(max_size=20), st.just("me@x.com"), st.just("\nme@x.com"), st.just('"me@x.com"'))
VALUES = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=5
)


@given(VALUES)
def test_no_means_that_nothing_would_change(value: Any):
    """In JSON, and in JSON within JSON: where it finds nothing, no rule changes anything."""
    scan, walk = Scan([EMAIL]), Walk(Rules((EMAIL,)))
    for held in (value, json.dumps(value), json.dumps(json.dumps(value))):
        if walk.text(held, lambda _rule: None) != held:
            assert scan.may_find(json.dumps({"a": held}))
            assert scan.may_find(json.dumps({"a": held}, ensure_ascii=False))


@pytest.mark.parametrize(
    ("rule", "text", "found"),
    [
        (Rule("a", "mask", "key", "user.email"), '{"user.email":1}', True),
        (Rule("a", "mask", "key", "user.email"), '{"user_email":1}', False),
        (Rule("a", "mask", "prefix", "user."), '{"user.email":1}', True),
        (Rule("a", "mask", "prefix", "user."), '{"a.user.":1}', False),
        (Rule("a", "mask", "glob", "*.email"), '{"shop.email":1}', True),
        (Rule("a", "mask", "glob", "*.email"), '{"shop.emails":1}', False),
        (Rule("a", "mask", "field", "ssn"), '{"x":"[{\\"ssn\\": 1}]"}', True),
        (Rule("a", "mask", pattern="^x"), '{"a":"xyz"}', True),
    ],
)
def test_each_kind_of_rule_is_looked_for(rule: Rule, text: str, found: bool):
    """By key, prefix, glob and field as JSON writes names; an anchored expression makes it look at every row."""
    assert Scan([rule]).may_find(text) is found


def test_without_rules_nothing_is_found():
    """No rules, no finding."""
    assert not Scan([]).may_find("anything")
