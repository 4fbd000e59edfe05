"""Decoded rows through the rules, before they are stored.

Whether a rule may apply is asked of all texts of a request at once, by one expression that RE2 reads in one pass; only rows
with a hit are taken apart. Measured on 512 spans of 1.4 KB (2 cores, a shared machine): see tests/bench/redaction.py.

What was changed is noted in the column `beside`: {"at": pointer, "kind": "redacted", "value": {"rule", "action"}}, and once a
row {"at": "", "kind": "rules", "value": version}. The content hash is made anew over the row as it is stored, with
that version (X-31): it tells nothing of what was taken out.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal

import orjson

from collector.decode.beside import pointer
from collector.decode.content import digest
from collector.decode.decoded import Decoded
from collector.decode.json_text import dump
from collector.decode.promoted import PROMOTED
from collector.redact.rules import Rule, Rules
from collector.redact.scan import Scan
from collector.redact.suspects import in_columns, in_table
from collector.redact.walk import Walk

WORDS = {"spans": ("name", "status_message"), "logs": ()}
"""Columns of plain text."""

OBJECTS = ("attributes", "resource", "scope_attributes")
"""Columns of JSON objects of attributes."""

LISTS = {"spans": ("events", "links"), "logs": ()}
"""Columns of JSON lists of objects that have attributes."""

_DERIVED = frozenset({"content_hash", "start_time", "end_time", "duration_ns", "time"})
_RAW = frozenset({"duplicate_key", "invalid_utf8", "bad_link"})
"""Kinds of notes that hold values as they were delivered."""


_PROMOTED_AT = {pointer("/attributes", name): column for column, (_, names) in PROMOTED.items() for name in names}


def _texts(kind: Literal["spans", "logs"], names: Iterable[str]) -> list[str]:
    """Those of the columns that rules are about."""
    wanted = (*WORDS[kind], *OBJECTS, *LISTS[kind], "body", "beside")
    return [name for name in wanted if name in names]


class Redactor:
    """Applies rules to requests; may be called from several threads."""

    def __init__(self, rules: Rules) -> None:
        self.version = rules.version
        self._walk = Walk(rules)
        self._scan = Scan(rules.rules) if rules.rules else None

    def __call__(self, decoded: Decoded) -> Decoded:
        """The same request without what the rules take out. It is changed in place where anything is."""
        decoded.rules = self.version
        if self._scan is None:
            return decoded
        if decoded.table is not None:
            decoded.take_out(in_table(decoded.table, _texts(decoded.kind, decoded.table.column_names), self._scan))
        memo: _Memo = {}
        texts = {name: decoded.columns[name] for name in _texts(decoded.kind, decoded.columns)}
        for row in in_columns(texts, self._scan):
            self._row(decoded, row, memo)
        return decoded

    def _row(self, decoded: Decoded, row: int, memo: "_Memo") -> None:
        columns, notes = decoded.columns, _Notes()
        for name in WORDS[decoded.kind]:
            if columns[name][row]:
                columns[name][row] = self._walk.text(columns[name][row], notes.at(f"/{name}"))
        for name in OBJECTS:
            if (before := columns[name][row]) and before != "{}":
                after = memo.get((name, before)) or self._object(name, before)
                columns[name][row] = after[0]
                notes.found |= after[1]
                if name != "attributes":  # those of a resource and a scope stand in many rows
                    memo[name, before] = after
        for name in LISTS[decoded.kind]:
            if columns[name][row] not in (None, "[]"):
                columns[name][row] = self._list(name, columns[name][row], notes)
        if "body" in columns and columns["body"][row]:
            body = self._walk.text(orjson.loads(columns["body"][row]), notes.at("/body"))
            columns["body"][row] = dump(body).decode()
        self._finish(decoded, row, notes)

    def _list(self, name: str, before: str, notes: "_Notes") -> str:
        listed = orjson.loads(before)
        for place, entry in enumerate(listed):
            entry["attributes"] = self._attributes(entry["attributes"], f"/{name}/{place}/attributes", notes)
        return dump(listed).decode() if notes.under(f"/{name}/") else before

    def _object(self, name: str, before: str) -> tuple[str, dict[str, dict[str, str]]]:
        """A column's JSON object as it is to be stored, and the notes about it."""
        notes = _Notes()
        held = self._attributes(orjson.loads(before), f"/{name}", notes)
        return (dump(held).decode() if notes.found else before), notes.found

    def _attributes(self, held: dict[str, Any], at: str, notes: "_Notes") -> dict[str, Any]:
        out = {}
        for key, value in held.items():
            changed, left_out = self._walk.attribute(key, value, notes.at(pointer(at, key)))
            if not left_out:
                out[key] = changed
        return out

    def _finish(self, decoded: Decoded, row: int, notes: "_Notes") -> None:
        """What follows from the changes: notes beside the row, promoted columns, the content hash."""
        columns = decoded.columns
        before = orjson.loads(columns["beside"][row] or b"[]")
        kept = [note for note in before if not self._raw(note, notes)]
        if not notes.found and len(kept) == len(before):
            return
        own = [{"at": at, "kind": "redacted", "value": value} for at, value in notes.found.items()]
        entries = [*kept, *own, {"at": "", "kind": "rules", "value": self.version}]
        columns["beside"][row] = f"[{','.join(sorted(dump(entry).decode() for entry in entries))}]"
        if decoded.kind == "spans" and notes.under("/attributes/"):
            _promote(columns, row, notes)
        delivered = [values[row] for name, values in sorted(columns.items()) if name not in _DERIVED]
        columns["content_hash"][row] = digest(orjson.dumps(delivered)).hex()

    def _raw(self, note: dict[str, Any], notes: "_Notes") -> bool:
        """Whether a note holds, as it was delivered, what the rules take out: it goes, and a mark says so."""
        if note["kind"] not in _RAW:
            return False
        at, value = note["at"], note["value"]
        if note["kind"] == "invalid_utf8" and isinstance(value, str):
            value = bytes.fromhex(value).decode("utf-8", "replace")
        key = at.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        seen: list[Rule] = []
        changed, left_out = self._walk.attribute(key, value, seen.append)
        if not left_out and changed == value and not notes.under(at):
            return False
        for rule in seen:
            notes.at(at)(rule)
        return True


_Memo = dict[tuple[str, str], tuple[str, dict[str, dict[str, str]]]]


class _Notes:
    """What was changed in one row: pointer → the rule that did it (the last of several)."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, str]] = {}

    def at(self, place: str) -> Callable[[Rule], None]:
        """Takes notes of one place."""
        return partial(self._note, place)

    def under(self, place: str) -> bool:
        """Whether anything was changed there or below."""
        return any(at.startswith(place) for at in self.found)

    def _note(self, place: str, rule: Rule) -> None:
        self.found[place] = {"rule": rule.name, "action": rule.action}


def _promote(columns: dict[str, list[Any]], row: int, notes: _Notes) -> None:
    """Promoted columns hold copies of attributes: those that were changed are read again."""
    touched = {_PROMOTED_AT[at] for at in notes.found if at in _PROMOTED_AT}
    held = orjson.loads(columns["attributes"][row]) if touched else {}
    for column in touched:
        read, names = PROMOTED[column]
        name = next((name for name in names if name in held), None)
        columns[column][row] = None if name is None else read(held[name])
