"""How much memory an evaluation may come to need, before it is run.

CEL bounds the steps of an evaluation, not what the steps build: `[x].map(a, a + a).map(a, a + a)…` doubles a text at each
step. So what an expression can build is estimated from its text and the sizes of its data, and refused where too large.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.expressions.cel_data import Cleaned

MAX_ITERATIONS = 10_000
"""Of one evaluation, set by the CEL library."""
MAX_BYTES = 512 << 20

_TEXTS = re.compile(
    r"""
    //[^\n]*                                                        # a comment
  | \b[bB]?[rR][bB]? (?: \"{3}.*?\"{3} | '{3}.*?'{3} | "[^"\n]*" | '[^'\n]*' )  # raw: a backslash is only itself
  | \"{3}(?:\\.|[^\\])*?\"{3} | '{3}(?:\\.|[^\\])*?'{3} | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    """,
    re.VERBOSE | re.DOTALL,
)
_LOOP = re.compile(r"\.\s*(?:map|filter|all|exists|exists_one|existsOne)\s*\(")
_BUILDER = re.compile(r"\.\s*map\s*\(")


@dataclass(frozen=True, slots=True)
class _Term:
    loops: int
    builders: int
    joins: int

    def most(self, items: int, largest: int) -> int:
        """Bytes at most: every step of every loop joins the largest value with itself, at each of its joins."""
        if not self.loops or not self.joins:
            return 0
        iterations = min(MAX_ITERATIONS, max(1, items) ** min(self.loops, 20))
        return iterations * largest * (self.joins + 1) ** max(1, self.builders)


@dataclass(frozen=True, slots=True)
class Growth:
    """What an expression may build, part by part."""

    terms: tuple[_Term, ...]
    size: int  # of the longest literal, in characters or items

    def most(self, data: Cleaned) -> int:
        """Bytes that an evaluation over this data can need at most, roughly."""
        items = max(data.longest_list, self.size)
        largest = max(data.largest, self.size)
        return sum(t.most(items, largest) for t in self.terms)


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Where each text literal stands, and how it is written."""
    for found in _TEXTS.finditer(source):
        if not found[0].startswith("//"):
            yield found.start(), found[0]


def growth(source: str) -> Growth:
    """Reads it off the text of an expression that compiles."""
    bare = _TEXTS.sub("''", source)
    longest = max((len(literal) for _, literal in texts(source)), default=0)
    return Growth(tuple(map(_term, _parts(bare))), max(longest, bare.count(",") + 1))


def _term(part: str) -> _Term:
    loops = len(_LOOP.findall(part))
    joins = part.count("+") + max(0, part.count(",") - loops)
    return _Term(loops, len(_BUILDER.findall(part)), joins)


def _parts(bare: str) -> list[str]:
    """Split where `&&` and `||` stand outside of all brackets: what one side builds the other never sees."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(bare):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif not depth and bare[at : at + 2] in ("&&", "||"):
            parts.append(bare[start:at])
            start = at
    return [*parts, bare[start:]]
