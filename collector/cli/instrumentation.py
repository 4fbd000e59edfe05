"""How each framework is made to send its traces here with content: one file each in `snippets/`, read here.

A file begins with its title and facts, a line each, then follows what is printed:

    # Agno
    by: OpenInference                      what writes its spans
    dialects: agno                         by which its traces are known
    through: openinference                 the file whose content and switch hold for it, too
    content: on                            recorded by default, or off
    switch: leave `X` unset                what turns it on
    lacks: cost                            what no switch adds
    generic: yes                           to be named only where nothing more specific is known
    also: agno-agi                         other names that people try

The addresses in the files are the default ones; `{{setup}}` stands for the text of setup.txt.
"""

import difflib
import functools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from collector.errors import UserError

FOLDER = Path(__file__).parent / "snippets"
GRPC, HTTP = "http://localhost:4317", "http://localhost:4318"
"""The addresses that stand in the files."""

_KNOWN = {"by", "dialects", "through", "content", "switch", "lacks", "generic", "also"}


@dataclass(frozen=True, kw_only=True)
class Snippet:
    """One framework with one instrumentation. `content` and `switch` are those of `through`, where that is given."""

    name: str
    title: str
    by: str
    text: str
    dialects: tuple[str, ...] = ()
    content: str = ""
    switch: str = ""
    lacks: str = ""
    generic: bool = False
    also: tuple[str, ...] = ()

    def printed(self, grpc: str = GRPC, http: str = HTTP) -> str:
        """What to install, set and write, for a collector at these addresses."""
        setup = (FOLDER / "setup.txt").read_text("utf-8")
        return self.text.replace("{{setup}}", setup).replace(GRPC, grpc).replace(HTTP, http)


@functools.cache
def snippets() -> Mapping[str, Snippet]:
    """All by name. Raises RuntimeError for a file that is not of this form."""
    raw = {path.stem: _facts(path) for path in sorted(FOLDER.glob("*.md"))}
    return MappingProxyType({name: _snippet(name, facts, raw) for name, facts in raw.items()})


def find(name: str) -> Snippet:
    """The snippet of this name, or of one of its other names. Raises UserError with the nearest names."""
    known = snippets()
    names = {other: s.name for s in known.values() for other in (s.name, *s.also)}
    asked = name.lower().replace("_", "-").replace(" ", "-")
    if asked in names:
        return known[names[asked]]
    near = difflib.get_close_matches(asked, names, 1)
    hint = f" Did you mean {names[near[0]]}?" if near else ""
    raise UserError(f"There is no snippet for {name}.{hint} `tracegrade instrument` lists them all.")


def known_by(dialects: Collection[str]) -> list[Snippet]:
    """The snippets of these dialects; a generic one only where no other has a switch of its own."""
    found = [s for s in snippets().values() if not set(dialects).isdisjoint(s.dialects)]
    own = [s for s in found if s.switch and not s.generic and s.name != "tracegrade"]
    return own or [s for s in found if s.generic]


def _facts(path: Path) -> dict[str, str]:
    head, _, text = path.read_text("utf-8").partition("\n\n")
    title, *lines = head.splitlines()
    facts = dict(line.split(": ", 1) for line in lines if ": " in line)
    if not title.startswith("# ") or len(facts) != len(lines) or facts.keys() - _KNOWN or not text:
        raise RuntimeError(f"{path} does not begin with a title and known facts, a line each, and an empty line")
    return facts | {"title": title.removeprefix("# "), "text": text}


def _snippet(name: str, facts: Mapping[str, str], others: Mapping[str, Mapping[str, str]]) -> Snippet:
    source = others[facts["through"]] if "through" in facts else facts
    return Snippet(
        name=name,
        title=facts["title"],
        by=facts["by"],
        text=facts["text"],
        dialects=_words(facts.get("dialects", "")),
        content=source["content"],
        switch=source["switch"],
        lacks=facts.get("lacks", ""),
        generic="generic" in facts,
        also=_words(facts.get("also", "")),
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def switches(found: Iterable[Snippet]) -> dict[str, list[str]]:
    """Each switch once, with the titles of the frameworks that it belongs to."""
    said: dict[str, list[str]] = {}
    for snippet in found:
        said.setdefault(snippet.switch, []).append(snippet.title)
    return said
