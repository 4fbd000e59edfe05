"""Notes on what JSON cannot hold, kept in the column `beside`, so that nothing delivered is lost.

A note is (at, kind, value): `at` is a JSON Pointer into the row (`/attributes/gen_ai.input.messages`,
`/events/0/attributes/x`, `/resource/host.id`, `/name`). Kinds:

- bytes: the text there is base64 of bytes
- not_finite: the text there stands for the double NaN, Infinity or -Infinity
- duplicate_key: an earlier value of that key (S-08)
- invalid_utf8: the original bytes as hex; of a key, `at` is the object that holds it (S-11)
- too_deep: the text there is the JSON of what was nested below 64 levels (J-12)
- bad_parent, bad_link, bad_id: an id or a link of a wrong form, as delivered (S-02, S-03)
"""

from collections.abc import Iterable
from typing import Any

import orjson

from collector.decode.decoded import DecodeError, Rejected, count

Note = tuple[str, str, Any]

_MOST = 100_000
"""Notes on one row. A body of 64 MiB can hold 16 million empty byte strings, and a note is larger than one of those."""

_LONGEST = 1000
"""Characters after which a pointer grows no further, so that long nested keys do not multiply."""


MOST_ATTRIBUTES = 1_000_000
"""Attributes and members of lists and objects that a request may hold. Of empty ones a body of 64 MiB holds 32 million,
and each takes a hundred times its two bytes (X-08)."""


class Notes(list[Note]):
    """The notes on one row; and, since it goes wherever values are read, how many of them the request may still hold."""

    def __init__(self, notes: Iterable[Note] = ()) -> None:
        super().__init__(notes)
        self.left = MOST_ATTRIBUTES

    def spend(self, values: int) -> None:
        """So many more are read. Raises DecodeError where a request holds too many."""
        self.left -= values
        if self.left < 0:
            raise DecodeError(
                f"the request holds more than {MOST_ATTRIBUTES:,} attributes; send fewer rows in a request"
            )

    def add(self, at: str, kind: str, value: Any) -> None:
        """Note one more. Raises Rejected where there are too many."""
        if len(self) >= _MOST:
            raise Rejected("too_many_odd_values")
        self.append((at, kind, value))

    def take(self) -> "Notes":
        """These notes, leaving none."""
        taken = Notes(self)
        self.clear()
        return taken


_WARN = {
    "duplicate_key": "duplicate_key",
    "invalid_utf8": "invalid_utf8",
    "too_deep": "too_deep",
    "bad_parent": "parent_id_invalid",
    "bad_link": "link_id_invalid",
    "bad_id": "log_id_invalid",
}


def pointer(at: str, key: str | int) -> str:
    """The JSON Pointer (RFC 6901) of a member of what `at` points to."""
    if len(at) > _LONGEST:
        return at
    if isinstance(key, int):
        return f"{at}/{key}"
    clipped = key if len(key) < _LONGEST else f"{key[:_LONGEST]}…"
    return f"{at}/{clipped.replace('~', '~0').replace('/', '~1')}"


def text(raw: bytes | str, at: str, notes: Notes) -> str:
    """A string field's text; where the bytes are not UTF-8, with U+FFFD and a note (S-11)."""
    if isinstance(raw, str):
        return raw
    try:
        return raw.decode()
    except UnicodeDecodeError:
        notes.add(at, "invalid_utf8", raw.hex())
        return raw.decode("utf-8", "replace")


def merge(pairs: Iterable[tuple[str, Any]], at: str, notes: Notes) -> dict[str, Any]:
    """An object of the pairs: of a duplicate key the last value, and a note for each earlier one (S-08)."""
    merged: dict[str, Any] = {}
    for key, value in pairs:
        if key in merged:
            notes.add(pointer(at, key), "duplicate_key", merged[key])
        merged[key] = value
    return merged


def column(notes: Iterable[Note]) -> str | None:
    """The column's JSON, in an order that does not depend on the order of attributes; null where there is no note."""
    entries = sorted(
        orjson.dumps({"at": at, "kind": kind, "value": value}, option=orjson.OPT_SORT_KEYS).decode()
        for at, kind, value in notes
    )
    return f"[{','.join(entries)}]" if entries else None


def warn(notes: Iterable[Note], warnings: dict[str, int]) -> None:
    """Count the notes that tell of a sender's fault."""
    for _, kind, _ in notes:
        if kind in _WARN:
            count(warnings, _WARN[kind])
