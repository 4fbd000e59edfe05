"""One value through the rules: its texts, its members at any depth, and the JSON that stands in texts."""

import hmac
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from collector.normalize.values import DEEPEST, REDACTION
from collector.redact import joins
from collector.redact.rules import Rule, Rules
from collector.redact.scan import Scan

Noted = Callable[[Rule], None]
"""Told of each rule that changed something."""

_PART = "secret"
"""The group of a pattern that is masked alone, where it has one of this name."""


class Walk:
    """Applies rules to values. Stateless but for the rules; values are never changed in place."""

    def __init__(self, rules: Rules) -> None:
        self._key = rules.hash_key
        self._keyed = [rule for rule in rules.rules if rule.place in ("key", "prefix", "glob")]
        self._fields = {rule.named: rule for rule in reversed(rules.rules) if rule.place == "field"}
        self._patterns = [rule for rule in rules.rules if rule.place is None]
        self._scan = Scan([*self._patterns, *self._fields.values()])
        self._plans: dict[str, tuple[Rule | None, list[Rule]]] = {}

    def attribute(self, key: str, value: Any, noted: Noted) -> tuple[Any, bool]:
        """The attribute's value as it is to be stored, and whether the attribute is to be left out."""
        whole, patterns = self._plan(key)
        if whole is not None:
            noted(whole)
            if placed := self._placed(whole, value):
                return placed, False
            return (None, True) if whole.action == "drop" else (self._mark(whole, value), False)
        if len(patterns) == len(self._patterns) and isinstance(value, str) and not self._scan.may_find(value):
            return value, False  # so it is for nearly all
        dropped: list[Rule] = []
        changed = self._value(value, patterns, noted, dropped, message=True, depth=0)
        return (None, True) if dropped else (changed, False)

    def _placed(self, rule: Rule, value: Any) -> str | None:
        """Metadata of which only what tells the span's place is left, beside marks; None where nothing tells it."""
        if not isinstance(value, str) or not any(place in value for place in joins.PLACES):
            return None
        try:
            held = orjson.loads(value)
        except orjson.JSONDecodeError:
            return None
        if not isinstance(held, dict) or held.keys().isdisjoint(joins.PLACES):
            return None
        return orjson.dumps({k: v if _places(k, v) else self._mark(rule, v) for k, v in held.items()}).decode()

    def text(self, value: Any, noted: Noted) -> Any:
        """A text, or a body, that stands under no attribute's name."""
        dropped: list[Rule] = []
        changed = self._value(value, self._patterns, noted, dropped, message=True, depth=0)
        return self._mark(dropped[0], value) if dropped else changed

    def _plan(self, key: str) -> tuple[Rule | None, list[Rule]]:
        """The rule that takes the attribute whole, else the patterns that are looked for in it. Worked out once a name."""
        plan = self._plans.get(key)
        if plan is None:
            if joins.holds(key):
                plan = (None, [])
            else:
                about = [rule for rule in self._keyed if rule.covers(key)]
                whole = next((rule for rule in about if rule.pattern is None), None)
                plan = (whole, [*(rule for rule in about if rule.pattern is not None), *self._patterns])
            if len(self._plans) < 10_000:  # noqa: PLR2004 -- hostile names must not fill the memory
                self._plans[key] = plan
        return plan

    def _value(
        self, value: Any, patterns: Sequence[Rule], noted: Noted, dropped: list[Rule], *, message: bool, depth: int
    ) -> Any:
        if isinstance(value, str):
            return self._string(value, patterns, noted, dropped, message=message, depth=depth)
        if type(value) is int:
            seen = str(value)
            changed = self._matched(seen, patterns, noted, dropped)
            return value if changed == seen else changed
        if isinstance(value, list):
            return [self._value(v, patterns, noted, dropped, message=message, depth=depth + 1) for v in value]
        if isinstance(value, dict):
            return self._members(value, patterns, noted, dropped, message=message, depth=depth)
        return value

    def _members(
        self,
        held: dict[str, Any],
        patterns: Sequence[Rule],
        noted: Noted,
        dropped: list[Rule],
        *,
        message: bool,
        depth: int,
    ) -> dict[str, Any]:
        said = message and not joins.MESSAGE.isdisjoint(held)
        out = {}
        for name, value in held.items():
            field = self._fields.get(name)
            if _places(name, value) or (said and name in joins.MEMBERS and not isinstance(value, dict | list)):
                out[name] = value
            elif field is not None and (field.pattern is None):
                noted(field)
                out[name] = self._mark(field, value)
            else:
                own = [field, *patterns] if field is not None else patterns
                below = message and name not in joins.DATA
                out[name] = self._value(value, own, noted, dropped, message=below, depth=depth + 1)
        return out

    def _string(
        self, text: str, patterns: Sequence[Rule], noted: Noted, dropped: list[Rule], *, message: bool, depth: int
    ) -> str:
        if text[:64].lstrip()[:1] in ("{", "[", '"') and depth < DEEPEST:
            try:
                inner = orjson.loads(text)
                changed = self._value(inner, patterns, noted, dropped, message=message, depth=depth + 1)
                return text if changed == inner else orjson.dumps(changed).decode()
            except (orjson.JSONDecodeError, orjson.JSONEncodeError, RecursionError):
                pass  # no JSON, or too deep to be taken apart: looked through as it stands
        return self._matched(text, patterns, noted, dropped)

    def _matched(self, text: str, patterns: Sequence[Rule], noted: Noted, dropped: list[Rule]) -> str:
        if len(patterns) == len(self._patterns) and not self._scan.may_find(text):
            return text
        for rule in patterns:
            found = rule.compiled.search(text)
            if found is None:
                continue
            noted(rule)
            if rule.action == "drop" and rule.place != "field":
                dropped.append(rule)
                return text
            text = self._replaced(rule, text)
        return text

    def _replaced(self, rule: Rule, text: str) -> str:
        part = rule.compiled.groupindex.get(_PART, 0)
        pieces, at = [], 0
        for found in rule.compiled.finditer(text):
            begin, end = found.span(part)
            pieces += [text[at:begin], self._mark(rule, text[begin:end])]
            at = end
        return "".join([*pieces, text[at:]])

    def _mark(self, rule: Rule, value: Any) -> str:
        """What stands in a value's place; equal values have equal hashes."""
        if rule.action != "hash":
            return f"{REDACTION}{rule.name}]"
        raw = value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
        return f"{REDACTION}{rule.name}:{hmac.digest(self._key, raw.encode(), 'sha256')[:8].hex()}]"


def _places(name: str, value: Any) -> bool:
    """Whether a member says where in a graph a span stands."""
    return name in joins.PLACES and isinstance(value, str)
