"""The README taken apart: its fenced blocks, and the parts that are generated."""

import re
from pathlib import Path
from typing import NamedTuple

README = Path(__file__).parents[2] / "README.md"


class Block(NamedTuple):
    """A fenced block: its language, its text, the line where it starts, and the comment above it."""

    language: str
    text: str
    line: int
    note: str


def blocks(text: str) -> list[Block]:
    """All fenced blocks in order."""
    fence = re.compile(
        r"(?:<!-- (?P<note>[^>]*) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
    )
    return [
        Block(m["language"], m["text"], text.count("\n", 0, m.start("text")), m["note"] or "")
        for m in fence.finditer(text)
    ]


def part(text: str, name: str) -> str:
    """What stands between the marks of a generated part."""
    return _between(text, name)[2]


def with_part(text: str, name: str, body: str) -> str:
    """The text with another body between these marks."""
    begin, end, _ = _between(text, name)
    return f"{text[:begin]}\n{body.strip()}\n{text[end:]}"


def with_answer(text: str, before: str, answer: str) -> str:
    """The text with another answer in the `text` block that follows the block `before`."""
    at = text.index(before)
    begin = text.index("```text\n", at) + len("```text\n")
    return text[:begin] + answer + text[text.index("```", begin) :]


def _between(text: str, name: str) -> tuple[int, int, str]:
    found = re.search(rf"<!-- {name}: made by [^>]*-->(.*?)<!-- end of {name} -->", text, re.DOTALL)
    if found is None:
        raise LookupError(f"README.md has no marks of {name}")
    return found.start(1), found.end(1), found[1].strip()
