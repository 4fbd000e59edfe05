"""What ties evidence together, and is never redacted."""

import pytest

from collector.normalize.dialects import DIALECTS
from collector.redact import joins


@pytest.mark.parametrize(
    "key",
    [
        *("gen_ai.tool.call.id", "gen_ai.tool.name", "gen_ai.agent.name", "gen_ai.conversation.id", "session.id"),
        *("gen_ai.response.id", "tracegrade.job.id", "test.case.name", "service.name", "openinference.span.kind"),
        "llm.output_messages.0.message.tool_calls.1.tool_call.id",
        "traceloop.association.properties.langgraph_checkpoint_ns",
        "langsmith.metadata.lc_agent_name",
    ],
)
def test_ids_and_names_are_held(key: str):
    """Ids of calls, conversations, responses and jobs, and names of agents, tools, cases and services are join keys."""
    assert joins.holds(key)


@pytest.mark.parametrize("key", ["user.id", "user.email", "gen_ai.input.messages", "input.value", "http.url"])
def test_content_is_not_held(key: str):
    """Content, and who a user is, may be redacted."""
    assert not joins.holds(key)


def test_the_list_is_what_dialects_declare():
    """Every attribute that a dialect reads such a fact from is among them."""
    declared = {k.path for d in DIALECTS for fact in joins.FACTS for k in d.fields.get(fact, ())}
    assert len(declared) > 50
    assert declared <= joins.attributes()
