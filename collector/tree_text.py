"""The canonical model as text: the JSON under which the store keeps a tree, and the digest that tells trees apart."""

import dataclasses
import hashlib
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import orjson

from collector.tree import (
    Approval,
    Capture,
    Delegation,
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
    return orjson.dumps(_written(run) | {"root": _job_written(run.root)}, default=str, option=orjson.OPT_NON_STR_KEYS)


def captures_json(captures: dict[str, Capture]) -> str:
    """Capture by kind as JSON text."""
    return _texts(captures).written


class _Texts(NamedTuple):
    """Capture by kind, as it is written and as it counts for the digest."""

    written: str
    facts: str
    held: list[Capture]
    """Kept alive, since they are known by their identities."""


def _texts(captures: dict[str, Capture]) -> _Texts:
    """Remembered, since two of three objects of a tree are captures, and few sets differ."""
    key = (*captures, *map(id, captures.values()))
    known = _TEXTS.get(key)
    if known is None:
        if len(_TEXTS) >= _MOST_TEXTS:
            _TEXTS.clear()
        facts = {kind: (capture.reasons, capture.state) for kind, capture in captures.items()}
        texts = (orjson.dumps(captures), orjson.dumps(facts, option=orjson.OPT_SORT_KEYS))
        known = _TEXTS[key] = _Texts(*(text.decode() for text in texts), list(captures.values()))
    return known


_TEXTS: dict[tuple[Any, ...], _Texts] = {}
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
_ALL: dict[type, tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]] = {
    cls: (_NAMES[cls], operator.attrgetter(*_NAMES[cls])) for cls in (Job, Run)
}
_SORTED = {cls: sorted(names - PROVENANCE) for cls, names in _FIELDS.items()}
_FACTS = {cls: operator.attrgetter(*names) for cls, names in _SORTED.items()}
_CAPTURE = {cls: _SORTED[cls].index("capture") for cls in (Job, Run)}
_BY_FACTS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS


def _written(value: Job | Run) -> dict[str, Any]:
    """All fields; the library itself writes those of the parts within, in half the time that a call back takes."""
    names, get = _ALL[type(value)]
    facts = dict(zip(names, get(value), strict=True))
    facts["capture"] = orjson.Fragment(captures_json(value.capture))
    return facts


def _job_written(job: Job) -> dict[str, Any]:
    return _written(job) | {"jobs": [_job_written(child) for child in job.jobs]}


def _facts(value: Any) -> Any:
    """What counts for the digest of a value that JSON has no word for: of our own objects their facts, without provenance."""
    cls = type(value)
    get = _FACTS.get(cls)
    if get is None:
        return str(value)
    facts = get(value)
    if cls is not Job and cls is not Run:
        return facts
    place = _CAPTURE[cls]
    return (*facts[:place], orjson.Fragment(_texts(value.capture).facts), *facts[place + 1 :])


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
