"""The whole reply is JSON: strictly, so NaN, fences around it and an empty reply are none; any JSON value will do."""

import json
from dataclasses import dataclass
from typing import Any

from grader.outcome import Finding
from grader.patterns import show
from grader.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidJson:
    """The reply parses as JSON; white space around it is ignored, and a structured reply is JSON as it stands."""

    def decide(self, scene: Scene) -> Finding:
        """A cut reply decides nothing: its rest may make it JSON, or spoil it."""
        spans = scene.job.spans[:1]
        if not scene.complete("reply", "job"):
            return Finding(None, f"whether the reply is JSON is not known: {scene.lack('reply', 'job')}", spans)
        wrong = _wrong(scene.job.reply)
        return Finding(
            wrong is None, "the reply is JSON" if wrong is None else f"the reply is not JSON: {wrong}", spans
        )


def _wrong(reply: Any) -> str | None:
    """Why it is no JSON; None where it is."""
    text = "" if reply is None else reply
    if not isinstance(text, str):
        return None
    text = text.strip()
    if not text:
        return "it is empty"
    try:
        json.loads(text, parse_constant=_refuse, parse_int=str, parse_float=str)  # numbers may have any length
    except RecursionError:
        return "it is nested too deep"
    except ValueError as error:
        fenced = ", it stands in a code fence" if text.startswith("```") else ""
        return f"{error}{fenced} (it begins “{show(text, 40)}”)"
    return None


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


FORMS = ()
