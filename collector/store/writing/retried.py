"""A span that is sent again after the redaction rules changed: other content under one id, and no revision all the same (X-31).

What was taken out cannot be compared, so the rest must be: both rows were stored under different rules, and agree in times,
status, and the number of attributes and events, those left out included.
"""

from typing import NamedTuple

import orjson


class Shape(NamedTuple):
    """What no rule changes of a span, and the version of the rules that changed it (None: none did)."""

    rules: str | None
    start_ns: int
    end_ns: int
    status_code: int
    attributes: int
    events: int

    def retries(self, other: "Shape") -> bool:
        """Whether the two are one delivery under different rules."""
        return self.rules != other.rules and self[1:] == other[1:]


def shape(
    beside: str | None, start_ns: int | None, end_ns: int | None, status_code: int | None, attributes: int, events: int
) -> Shape:
    """The shape of a row, stored or arriving; `attributes` and `events` are how many it holds now."""
    rules, left_out = None, 0
    if beside and '"kind":"rules"' in beside:
        for note in orjson.loads(beside):
            if note["kind"] == "rules":
                rules = note["value"]
            elif note["kind"] == "redacted" and note["value"]["action"] == "drop":
                left_out += note["at"].startswith("/attributes/")
    return Shape(rules, start_ns or 0, end_ns or 0, status_code or 0, attributes + left_out, events)
