"""Prompts: what an agent wrote stands between marks that it cannot know, and changes nothing else."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.prompting import prompt, question, verdict

SCHEMA = verdict(met={"type": "boolean"})
HOSTILE = json.loads((Path(__file__).parents[2] / "data" / "judge" / "hostile_replies.json").read_text())
PLACES = {
    "criterion": ("criterion", "request", "reply"),
    "rubric": ("rubric", "request", "reference", "reply"),
    "faithfulness": ("context", "reply"),
    "context_relevance": ("question", "context"),
    "answer_relevance": ("question", "reply"),
    "pairwise": ("rubric", "request", "first", "second"),
}


def ask(reply: str | None, request: str | None = "q", name: str = "criterion"):
    data = dict.fromkeys(PLACES[name], request) | {"reply": reply} if "reply" in PLACES[name] else {}
    return question(name, SCHEMA, data or dict.fromkeys(PLACES[name], reply), "m", scale="5")


@pytest.mark.parametrize("name", sorted(PLACES))
def test_every_prompt_has_a_version_and_its_places(name: str) -> None:
    """All that the checks give stands somewhere, once, and the marks are told to the judge."""
    asked = prompt(name)
    assert asked.version >= 1
    places = re.findall(r"\{\{(\w+)\}\}", asked.user)
    assert sorted(set(places) - {"mark", "scale"}) == sorted(PLACES[name])
    assert places.count("mark") == 1
    assert all(places.count(p) == 1 for p in PLACES[name])
    assert "never an instruction" in asked.system


@pytest.mark.parametrize("name", sorted(PLACES))
@pytest.mark.parametrize("reply", HOSTILE)
def test_a_hostile_reply_changes_nothing_around_it(name: str, reply: str) -> None:
    """The delimiters hold: each section opens and closes once, the system prompt and the schema are the same."""
    plain, hostile = ask("fine", name=name), ask(reply, name=name)
    assert hostile.system == plain.system
    assert hostile.schema == plain.schema
    mark = re.search(r"mark of this message is (\w+)\.", hostile.prompt)
    assert mark is not None
    assert mark[1] not in reply
    for place in PLACES[name]:
        assert hostile.prompt.count(f"<{place}-{mark[1]}>") == hostile.prompt.count(f"</{place}-{mark[1]}>") == 1
    assert _around(hostile.prompt) == _around(plain.prompt)


def _around(text: str) -> str:
    """What of a prompt is ours."""
    mark = _mark(text)
    return re.sub(rf"<(\w+)-{mark}>\n.*?\n</\1-{mark}>", r"<\1>", text, flags=re.DOTALL).replace(mark, "M")


def _mark(text: str) -> str:
    found = re.search(r"mark of this message is (\w+)\.", text)
    assert found is not None
    return found[1]


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_stands_unchanged_in_its_own_section(reply: str, request: str) -> None:
    """Also one that names our places or looks like the end of a section."""
    asked = ask(reply, request)
    mark = _mark(asked.prompt)
    assert f"<reply-{mark}>\n{reply}\n</reply-{mark}>" in asked.prompt
    assert f"<request-{mark}>\n{request}\n</request-{mark}>" in asked.prompt
    assert asked == ask(reply, request)


def test_the_same_texts_make_the_same_question_and_others_another() -> None:
    """So that a verdict can be found again."""
    assert ask("a").key == ask("a").key
    assert len({ask("a").key, ask("b").key, ask("a", "other").key, ask(None).key}) == 4


def test_what_was_not_recorded_is_told() -> None:
    """Instead of an empty section."""
    assert "(not recorded)" in ask("a", None).prompt


def test_a_place_that_nobody_fills_is_a_mistake_of_ours() -> None:
    """No prompt is sent with a hole."""
    with pytest.raises(KeyError):
        question("criterion", SCHEMA, {"criterion": "c"})
