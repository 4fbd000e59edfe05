"""Prompts are files with a version; what an agent wrote is put into them as data, between marks that it cannot know.

A mark is made of a hash of all the data that it encloses, so no text can hold the end of the section that it stands in.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import orjson

from grader.asking import Question

_PLACE = re.compile(r"\{\{(\w+)\}\}")
_NOTHING = "(not recorded)"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: its name, its version, and the two texts with places `{{name}}`."""

    name: str
    version: int
    system: str
    user: str


@cache
def prompt(name: str) -> Prompt:
    """The file `prompts/NAME.md`: a line `version: N`, then the sections `## System` and `## User`."""
    text = files("grader.judge").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    head, _, rest = text.partition("## System")
    system, _, user = rest.partition("## User")
    return Prompt(name, int(head.removeprefix("version:").strip()), system.strip(), user.strip())


def question(
    name: str,
    schema: dict[str, object],
    data: dict[str, str | None],
    model: str = "",
    max_tokens: int = 1024,
    **words: str,
) -> Question:
    """A question after the prompt of that name. `data` are texts of others, each in a section of its own (None: not recorded).

    `words` are ours, such as a scale, and stand in the prompt as they are.
    """
    asked = prompt(name)
    mark = hashlib.blake2b(orjson.dumps(data), digest_size=8).hexdigest()
    given = {
        key: f"<{key}-{mark}>\n{_NOTHING if text is None else text}\n</{key}-{mark}>" for key, text in data.items()
    }
    return Question(
        judge=f"{name}/{asked.version}",
        system=_filled(asked.system, words),
        prompt=_filled(asked.user, given | {"mark": mark} | words),
        schema=orjson.dumps(schema, option=orjson.OPT_SORT_KEYS).decode(),
        model=model,
        max_tokens=max_tokens,
    )


def _filled(text: str, given: dict[str, str]) -> str:
    """In one pass: a place named in what is put in is no place."""
    return _PLACE.sub(lambda place: given[place[1]], text)


def verdict(**properties: dict[str, object]) -> dict[str, object]:
    """The schema of a verdict: first the reasoning, then what it comes to, and nothing else."""
    told = {"reasoning": {"type": "string"}, **properties}
    return {"type": "object", "properties": told, "required": list(told), "additionalProperties": False}
