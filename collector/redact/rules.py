r"""The file of redaction rules (setting `redact`), read and checked: all mistakes at once, each with its place.

    hash_key_file = "redact.key"     # for the action hash; beside the rules where it is no absolute path

    [[rule]]
    name = "email"                   # stands in the mark, [REDACTED:email]
    pattern = '[\w.+-]+@[\w-]+\.[a-z]+'   # RE2, looked for in every text
    action = "mask"                  # drop, mask, or hash

A rule names attributes by `key`, `prefix` or `glob`, or members at any depth of values (JSON in texts too) by `field`, or it
has a `pattern`; with both, the pattern is looked for there alone.
"""

import fnmatch
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import re2

from collector.errors import UserError
from collector.private_files import distrust
from collector.redact import joins
from collector.redact.secrets import SECRETS

Action = Literal["drop", "mask", "hash"]
Place = Literal["key", "prefix", "glob", "field"]
ACTIONS: tuple[Action, ...] = ("drop", "mask", "hash")
PLACES: tuple[Place, ...] = ("key", "prefix", "glob", "field")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_KNOWN = {"name", "action", "pattern", *PLACES}
SHORTEST_KEY = 16
"""Bytes of the file that holds the key of hashes."""


class BadRules(UserError):  # noqa: N818 -- named like the other errors that people read
    """A file of rules that cannot be used; `problems` has a sentence for each mistake."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Rule:
    """One rule. `place` is how attributes or members are named and `named` the name; both None for a pattern alone."""

    name: str
    action: Action
    place: Place | None = None
    named: str | None = None
    pattern: str | None = None

    def covers(self, key: str) -> bool:
        """Whether the rule speaks about this attribute."""
        named = self.named or ""
        match self.place:
            case "key":
                return key == named
            case "prefix":
                return key.startswith(named)
            case "glob":
                return fnmatch.fnmatchcase(key, named)
        return False

    @cached_property
    def compiled(self) -> Any:
        """The pattern, compiled by RE2: its time is linear in the text."""
        return re2.compile(self.pattern or "")


@dataclass(frozen=True)
class Rules:
    """The rules in force, in their order; of several that speak about one attribute the first counts."""

    rules: tuple[Rule, ...] = ()
    hash_key: bytes = b""

    @cached_property
    def version(self) -> str:
        """16 hex digits that change with any rule, and with the key of hashes."""
        said = repr([(r.name, r.action, r.place, r.named, r.pattern) for r in self.rules]).encode()
        return blake2b(said, key=self.hash_key[:64], digest_size=8).hexdigest()


def rules(path: str, *, secrets: bool) -> Rules:
    """The rules of this file (none where `path` is empty), before them the built-in secrets where wanted. Raises BadRules."""
    built_in = tuple(Rule(s.name, "mask", pattern=s.pattern) for s in SECRETS) if secrets else ()
    if not path:
        return Rules(built_in)
    own = _read(Path(path))
    return Rules(built_in + own.rules, own.hash_key)


def _read(path: Path) -> Rules:
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadRules([f"The redaction rules {path} cannot be read: {why}."]) from None
    if wrong := distrust(path):
        raise BadRules([f"The redaction rules {path}: the file {wrong}"])
    strange = sorted(raw.keys() - {"rule", "hash_key_file"})
    problems = [f"{path}: there is no {name}; a file holds hash_key_file and [[rule]]." for name in strange]
    listed = raw.get("rule", [])
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise BadRules([*problems, f"{path}: rules are written as [[rule]] tables."])
    found = [_rule(entry, f"{path}: rule {number}", problems) for number, entry in enumerate(listed, 1)]
    made = tuple(rule for rule in found if rule is not None)
    names = [rule.name for rule in made]
    problems += [f"{path}: two rules are named {name}." for name in sorted({n for n in names if names.count(n) > 1})]
    key = b""
    if any(rule.action == "hash" for rule in made):
        key = _hash_key(path, raw.get("hash_key_file"), problems)
    if problems:
        raise BadRules(problems)
    return Rules(made, key)


def _rule(entry: Mapping[str, Any], where: str, problems: list[str]) -> Rule | None:
    before = len(problems)
    strange, known = sorted(entry.keys() - _KNOWN), sorted(entry.keys() & _KNOWN)
    problems += [f"{where}: there is no {key}; a rule has {', '.join(sorted(_KNOWN))}." for key in strange]
    problems += [f"{where}: {key} must be text with something in it." for key in known if not _text(entry[key])]
    if len(problems) > before:
        return None
    name, pattern = entry.get("name"), entry.get("pattern")
    action = next((known for known in ACTIONS if known == entry.get("action")), None)
    if name is None or not _NAME.fullmatch(name):
        problems.append(f"{where}: name must be 1 to 40 lower-case letters, digits, - or _; it stands in the mark.")
    elif name in {secret.name for secret in SECRETS}:
        problems.append(f"{where}: {name} is the name of a built-in rule; choose another.")
    if action is None:
        problems.append(f"{where}: action must be drop, mask or hash.")
    places = [place for place in PLACES if place in entry]
    if len(places) > 1:
        problems.append(f"{where}: it has {' and '.join(places)}; write a rule for each.")
    if not places and pattern is None:
        problems.append(f"{where}: it names nothing; give it a key, prefix, glob, field or pattern.")
    for place in places:
        problems += [f"{where}: {said}" for said in _joins(place, entry[place])]
    if pattern is not None:
        problems += [f"{where}: {said}" for said in _bad_pattern(pattern)]
    if len(problems) > before or name is None or action is None:
        return None
    place = places[0] if places else None
    return Rule(name, action, place, entry[place] if place else None, pattern)


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _joins(place: str, named: str) -> list[str]:
    """Why a rule may not name this: it holds what ties evidence together."""
    if place == "field":
        held = [named] if named in joins.MEMBERS or named in joins.PLACES else []
    elif place == "key":
        held = [named] if joins.holds(named) else []
    else:
        probe = Rule("", "mask", "prefix" if place == "prefix" else "glob", named)
        held = sorted(key for key in joins.attributes() if probe.covers(key))
    if not held:
        return []
    more = f" and {len(held) - 1} more" if len(held) > 1 else ""
    return [f"{place} {named!r} covers {held[0]}{more}, by which spans are joined; it cannot be redacted. Name others."]


def _bad_pattern(pattern: str) -> list[str]:
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        said = error.args[0] if error.args else "unknown"
        return [f"pattern is no regular expression of RE2: {said.decode() if isinstance(said, bytes) else said}."]
    return ["pattern matches the empty text, and so everything."] if compiled.search("") else []


def _hash_key(path: Path, named: Any, problems: list[str]) -> bytes:
    if not _text(named):
        problems.append(
            f"{path}: the action hash needs hash_key_file, a file with at least {SHORTEST_KEY} random bytes."
        )
        return b""
    place = path.parent / named
    try:
        key = place.read_bytes().strip()
    except OSError as error:
        problems.append(f"{path}: hash_key_file {place} cannot be read: {error.strerror}.")
        return b""
    if wrong := distrust(place):
        problems.append(f"{path}: hash_key_file {place} {wrong}")
    if len(key) < SHORTEST_KEY:
        problems.append(
            f"{path}: hash_key_file {place} holds less than {SHORTEST_KEY} bytes; fill it with random ones."
        )
    return key
