"""Laminar (`lmnr.*`): decorated functions; its model instrumentations write OpenLLMetry's old form.

People decorate what they like, so what was not seen is not proof that it did not happen.
"""

from collector.normalize.dialect import Dialect, Key, Role, Sighting, keys, prefix, say
from collector.normalize.messages import read
from collector.normalize.python_calls import passed, words
from collector.normalize.reading import Span
from collector.normalize.values import content, name, number, result

ROLES: dict[str, Role] = {
    "LLM": "model",
    "TOOL": "tool",
    "DEFAULT": "step",
    **dict.fromkeys(("EVALUATOR", "HUMAN_EVALUATOR"), "guardrail"),
}
_OWN = "lmnr.association.properties."


def _role(span: Span) -> Role | None:
    kind = span.attributes.get("lmnr.span.type")
    return ROLES.get(kind) if isinstance(kind, str) else None


def _io(span: Span, said: Sighting) -> None:
    given, made = (span.attributes.get(f"lmnr.span.{end}") for end in ("input", "output"))
    if said.role == "tool":
        say(said, "tool", name(span.name))
        say(said, "arguments", passed(given))
        say(said, "result", result(made))
    elif said.role == "model":
        said.messages_in, said.messages_out = read(given), read(made)
    elif said.role == "step":
        say(said, "input", words(given))
        say(said, "output", content(made))


DIALECT = Dialect(
    name="laminar",
    rank=10,
    claims=prefix("lmnr."),
    role=_role,
    fields={
        "conversation": keys(_OWN + "session_id", "lmnr.session.id"),
        "cost_usd": (Key("gen_ai.usage.cost", number),),
    },
    quirks=(_io,),
)
