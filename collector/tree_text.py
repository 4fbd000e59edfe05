"""The canonical model as text: the JSON under which the store keeps a tree, and the digest that tells trees apart."""

import dataclasses
import hashlib
import operator
from functools import lru_cache
from typing import Any

import orjson

from collector.tree import (
    Approval,
    Capture,
    Delegation,
    Evidence,
    Job,
    Member,
    ModelCall,
    Retrieval,
    Run,
    SkillRead,
    ToolCall,
    captured,
)

PROVENANCE = frozenset({"spans", "steps", "dialects", "digest", "aliases"})
"""Fields that say where a fact came from: two trees that differ in these alone have the same digest."""


def to_json(run: Run) -> bytes:
    """The run as JSON text, without messages; what JSON cannot hold becomes its text."""
    return orjson.dumps(run, default=_written, option=_OURS)


def captures_json(captures: dict[str, Capture]) -> bytes:
    """Capture by kind as JSON text: remembered, since two of three objects of a tree are captures, and few sets differ."""
    key = (*captures, *map(id, captures.values()))
    known = _TEXTS.get(key)
    if known is None:
        if len(_TEXTS) >= _MOST_TEXTS:
            _TEXTS.clear()
        known = _TEXTS[key] = (list(captures.values()), orjson.dumps(captures, default=str))
    return known[1]


_TEXTS: dict[tuple[Any, ...], tuple[list[Capture], bytes]] = {}
"""By kinds and identities, which the entry keeps alive."""
_MOST_TEXTS = 10_000


def digest(run: Run) -> str:
    """Hash (32 hex digits) of the facts of a tree: equal for equal trees, whatever spans told of them."""
    text = orjson.dumps(run, default=_facts, option=_BY_FACTS)
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def from_json(text: str | bytes) -> Run:
    """The run that `to_json` wrote; fields that a newer version added keep their defaults."""
    raw = orjson.loads(text)
    raw["root"] = _job(raw["root"])
    raw["members"] = _parts(Member, raw.get("members", []))
    raw["capture"] = _captures(raw)
    return _make(Run, raw)


_PARTS = {
    "tool_calls": ToolCall,
    "model_calls": ModelCall,
    "approvals": Approval,
    "skills": SkillRead,
    "retrievals": Retrieval,
}
_FIELDS = {
    cls: frozenset(f.name for f in dataclasses.fields(cls))
    for cls in (*_PARTS.values(), Member, Delegation, Capture, Job, Run)
}
_NAMES = {cls: tuple(f.name for f in dataclasses.fields(cls)) for cls in _FIELDS}
_VALUES = {cls: operator.itemgetter(*names) for cls, names in _NAMES.items()}
_ALL = {cls: (names, operator.attrgetter(*names)) for cls, names in _NAMES.items()}
_FACTS = {cls: operator.attrgetter(*sorted(fields - PROVENANCE)) for cls, fields in _FIELDS.items()}
_OURS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_NON_STR_KEYS
_BY_FACTS = _OURS | orjson.OPT_SORT_KEYS


def _written(value: Any) -> Any:
    """What is written of a value that JSON has no word for: of our own objects all fields."""
    cls = type(value)
    known = _ALL.get(cls)
    if known is None:
        return str(value)
    facts = dict(zip(known[0], known[1](value), strict=True))
    if cls is Job or cls is Run:
        facts["capture"] = orjson.Fragment(captures_json(value.capture))
    return facts


def _facts(value: Any) -> Any:
    """The same for the digest: of our own objects their facts, without provenance."""
    cls = type(value)
    if cls is Capture:
        return _capture_facts(value.state, *value.reasons)
    getter = _FACTS.get(cls)
    return str(value) if getter is None else getter(value)


@lru_cache(1_000)
def _capture_facts(state: Evidence, *reasons: str) -> orjson.Fragment:
    return orjson.Fragment(orjson.dumps((reasons, state)))


def _make(cls: Any, raw: dict[str, Any]) -> Any:
    try:
        return cls(*_VALUES[cls](raw))  # by position: half the time that names take
    except KeyError:  # written by an older version, without some fields
        known = _FIELDS[cls]
        return cls(**{k: v for k, v in raw.items() if k in known})


class _Recent:
    """The captures read last, as they were written and as they were read.

    Jobs of one service are mostly captured alike, and to compare them takes a third of the time to make them.
    """

    pairs: tuple[tuple[dict[str, Any], dict[str, Capture]], ...] = ()
    KEPT = 4


def _captures(raw: dict[str, Any]) -> dict[str, Capture]:
    given = raw.get("capture", {})
    for written, read in _Recent.pairs:
        if written == given:
            return read.copy()
    made = {kind: captured(c["state"], *c["reasons"]) for kind, c in given.items()}
    _Recent.pairs = ((given, made), *_Recent.pairs[: _Recent.KEPT - 1])
    return made.copy()


def _parts(cls: Any, raw: list[dict[str, Any]]) -> list[Any]:
    get = _VALUES[cls]
    try:
        return [cls(*get(one)) for one in raw]
    except KeyError:
        return [_make(cls, one) for one in raw]


def _job(raw: dict[str, Any]) -> Job:
    for name, cls in _PARTS.items():
        if parts := raw.get(name):
            raw[name] = _parts(cls, parts)
    if children := raw.get("jobs"):
        raw["jobs"] = [_job(child) for child in children]
    raw["capture"] = _captures(raw)
    if raw.get("delegation"):
        raw["delegation"] = _make(Delegation, raw["delegation"])
    return _make(Job, raw)
