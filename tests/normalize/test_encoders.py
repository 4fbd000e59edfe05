"""The same run gives the same tree, whatever vocabulary it is written in."""

import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.tree import Job
from tests.normalize.encoders import VOCABULARIES, Call, Story, written
from tests.normalize.spans import run

PROFILE = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))

PLACEHOLDERS = ("null", "true", "false", "n/a", "none", "unknown", "__redacted__")


def says_what_it_is(text: str) -> bool:
    """Whether it cannot be taken for JSON, for a mark of what was hidden, or for text with other space around it."""
    letters = any(unicodedata.category(c)[0] in "LN" for c in text)
    return letters and text == text.strip() and text[0] not in '{["<(' and text.lower() not in PLACEHOLDERS


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).filter(says_what_it_is)
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False, width=32)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(WORDS, VALUES, max_size=4)
RESULTS = WORDS | st.dictionaries(WORDS, VALUES, min_size=1, max_size=3) | st.lists(VALUES, min_size=1, max_size=3)
TOKENS = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6))


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """An agent with two calls, one of which fails, a child agent that a third call runs, and a reply."""
    asked, below, told, done = (draw(WORDS) for _ in range(4))
    tokens = [draw(TOKENS) for _ in range(5)]
    inner = Call("call_d", "find", draw(ARGUMENTS), draw(RESULTS))
    child = Story("helper", below, [[inner]], told, tokens[:2])
    turns = [
        [Call("call_a", "look", draw(ARGUMENTS), draw(RESULTS)), Call("call_b", "send", draw(ARGUMENTS), fails=True)],
        [Call("call_c", "ask_helper", draw(ARGUMENTS), draw(RESULTS), child=child)],
    ]
    return Story("support", asked, turns, done, tokens[2:])


def facts(job: Job) -> dict[str, Any]:
    """What happened: everything of a job but how it is known."""
    edge = job.delegation
    return {
        "agent": job.agent,
        "via": job.via,
        "edge": edge and (edge.mode, edge.tool, edge.call_id, edge.payload),
        "asked": job.input,
        "reply": job.reply,
        "status": job.status,
        "calls": [(c.name, c.call_id, c.state, c.arguments, c.result, c.error, c.attempts) for c in job.tool_calls],
        "known": [(c.arguments_capture, c.result_capture) for c in job.tool_calls],
        "tokens": [(c.input_tokens, c.output_tokens) for c in job.model_calls],
        "jobs": [facts(child) for child in job.jobs],
    }


@PROFILE
@given(story=stories())
def test_a_run_is_the_same_in_four_vocabularies(story: Story) -> None:
    """Names, arguments, results, states, words, children, status and tokens, with any contents."""
    told = {name: facts(run(*written(story, words)).root) for name, words in VOCABULARIES.items()}
    for name, found in told.items():
        assert found == told["semconv"], name


@pytest.mark.parametrize("name", VOCABULARIES)
@PROFILE
@given(story=stories())
def test_a_run_is_what_it_was(name: str, story: Story) -> None:
    """The tree says what the story says, so that four equal mistakes are not taken for agreement."""
    root = facts(run(*written(story, VOCABULARIES[name])).root)
    assert (root["agent"], root["asked"], root["reply"], root["status"]) == (
        story.agent,
        story.asked,
        story.reply,
        "completed",
    )
    calls = [call for turn in story.turns for call in turn]
    assert [call[:4] for call in root["calls"]] == [
        (call.name, call.id, "failed" if call.fails else "succeeded", call.arguments) for call in calls
    ]
    assert [call[4] for call in root["calls"] if call[2] == "succeeded"] == [c.result for c in calls if not c.fails]
    assert root["tokens"] == story.tokens
    (child,) = root["jobs"]
    helper = calls[-1].child
    assert helper is not None
    assert (child["agent"], child["via"], child["asked"], child["reply"]) == (
        "helper",
        "tool",
        helper.asked,
        helper.reply,
    )
    assert child["edge"] == ("waited", "ask_helper", "call_c", calls[-1].arguments)
    assert [call[3:5] for call in child["calls"]] == [(c.arguments, c.result) for turn in helper.turns for c in turn]
