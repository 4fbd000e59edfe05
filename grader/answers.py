"""An answer as a text or as a structure, for vocabularies that tell the two apart (S4-4, S4-5).

Traces carry structured answers as text: a text that is a JSON object or list stands for that structure. A text that is
a JSON number, boolean or null stays a text, since nothing tells whether it was meant as one.
"""

from typing import Any

import orjson

_OPTIONS = orjson.OPT_NON_STR_KEYS


def structure(reply: Any) -> Any:
    """The answer itself: an object or a list where the text is one, else the reply as it stands."""
    if not isinstance(reply, str) or reply.lstrip()[:1] not in ("{", "["):
        return reply
    try:
        return orjson.loads(reply)
    except orjson.JSONDecodeError:
        return reply


def renderings(reply: Any) -> tuple[str, ...]:
    """The texts that the answer may be written as: its own, and of a structure compact JSON and JSON with spaces.

    Nothing is escaped that JSON does not demand: "ü" stays "ü". No answer is the empty text.
    """
    if reply is None:
        return ("",)
    value = structure(reply)
    if isinstance(value, str):
        return (value,)
    own = (reply,) if isinstance(reply, str) else ()
    return tuple(dict.fromkeys((*own, _compact(value), spaced(value))))


def spaced(value: Any) -> str:
    """JSON with a space behind each comma and colon."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_compact(str(k))}: {spaced(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(spaced(v) for v in value) + "]"
    return _compact(value)


def _compact(value: Any) -> str:
    return orjson.dumps(value, default=str, option=_OPTIONS).decode()
