"""One value through the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from collector.redact.rules import Action, Rule, Rules, rules
from collector.redact.walk import Walk


@pytest.fixture
def walk(data: Path) -> Walk:
    """The rules of the test's file."""
    return Walk(rules(str(data / "redact/rules.toml"), secrets=False))


def ignore(_rule: Rule) -> None:
    """No notes."""


def test_patterns_replace_what_they_match(walk: Walk):
    """The words around a match stay."""
    assert walk.attribute("x", "write to a@b.com or c@d.org", ignore) == (
        "write to [REDACTED:email] or [REDACTED:email]",
        False,
    )


def test_equal_values_have_equal_hashes(walk: Walk):
    """A hash tells that two values are the same and not what they were; another key makes other hashes."""
    first, again, other = (walk.attribute("user.id", v, ignore)[0] for v in ("ann", "ann", "bob"))
    assert first == again != other
    assert first.startswith("[REDACTED:person:")
    assert (
        Walk(Rules((Rule("person", "hash", "glob", "user.*"),), b"0" * 16)).attribute("user.id", "ann", ignore)[0]
        != first
    )


def test_dropped_attributes_are_left_out(walk: Walk):
    """Of a dropped attribute nothing is kept."""
    assert walk.attribute("note", "anything", ignore) == (None, True)


def test_a_pattern_with_a_place_looks_there_alone(walk: Walk):
    """Sixteen digits are a card under billing., and anything elsewhere; a number counts as its digits."""
    assert walk.attribute("billing.card", 4111111111111111, ignore) == ("[REDACTED:card]", False)
    assert walk.attribute("order.card", 4111111111111111, ignore) == (4111111111111111, False)


def test_join_keys_stay(walk: Walk):
    """An id that looks like an address is still an id."""
    assert walk.attribute("gen_ai.tool.call.id", "a@b.com", ignore) == ("a@b.com", False)


def test_messages_keep_what_joins_them(walk: Walk):
    """Ids and names of calls in messages stay; arguments, results and words are looked through at any depth."""
    message = {
        "role": "assistant",
        "parts": [
            {"type": "text", "content": "ask a@b.com"},
            {"type": "tool_call", "id": "a@b.com", "name": "look@up.com", "arguments": {"id": "a@b.com", "ssn": 1}},
            {"type": "tool_call_response", "id": "a@b.com", "response": json.dumps({"name": "a@b.com"})},
        ],
    }
    text, left_out = walk.attribute("gen_ai.output.messages", json.dumps([message]), ignore)
    said, call, answer = json.loads(text)[0]["parts"]
    assert not left_out
    assert said["content"] == "ask [REDACTED:email]"
    assert (call["id"], call["name"]) == ("a@b.com", "look@up.com")
    assert call["arguments"] == {"id": "[REDACTED:email]", "ssn": "[REDACTED:ssn]"}
    assert (answer["id"], json.loads(answer["response"])) == ("a@b.com", {"name": "[REDACTED:email]"})


def test_untouched_json_keeps_its_text(walk: Walk):
    """A text of JSON in which nothing is found stays as it was written, spaces included."""
    text = '{ "a" : [1, "x"] }'
    assert walk.attribute("x", text, ignore) == (text, False)


@pytest.mark.parametrize(
    "value", ["[" * 900 + '"a@b.com"' + "]" * 900, "[" * 5000, '{"a":' * 300 + '"a@b.com"' + "}" * 300]
)
def test_deep_values_hide_nothing(walk: Walk, value: Any):
    """JSON nested too deep to be taken apart is looked through as text."""
    assert "a@b.com" not in walk.attribute("x", value, ignore)[0]


def test_a_drop_by_pattern_takes_the_attribute():
    """Where a pattern's action is drop the attribute goes that holds a match; a body or a name becomes a mark."""
    walk = Walk(Rules((Rule("secret", "drop", pattern="hush"),)))
    assert walk.attribute("x", "hush now", ignore) == (None, True)
    assert walk.text("hush now", ignore) == "[REDACTED:secret]"


@pytest.mark.parametrize("action", ["mask", "drop"])
def test_of_metadata_what_tells_a_spans_place_stays(action: Action):
    """A rule for the whole attribute takes all but where in a graph the span stands, and whose span it is."""
    masked = Walk(Rules((Rule("all", action, "key", "metadata"),)))
    told = '{"langgraph_checkpoint_ns":"a:1|b:2","lc_agent_name":"support","user":"ann","tags":[1]}'
    kept, left_out = masked.attribute("metadata", told, ignore)
    assert left_out is False
    assert json.loads(kept) == {
        "langgraph_checkpoint_ns": "a:1|b:2", "lc_agent_name": "support",
        "user": "[REDACTED:all]", "tags": "[REDACTED:all]",
    }  # fmt: skip
    for other in ('{"user":"ann"}', "lc_agent_name", '["lc_agent_name"]', {"lc_agent_name": "x"}):
        assert masked.attribute("metadata", other, ignore)[1] is (action == "drop")
