"""Who did what with the store."""

import hashlib
import logging
import threading
from concurrent.futures import Future

import pyarrow as pa
import pytest

from collector.access import audit
from collector.access.audit import Deed, Journal, question
from collector.access.table import ACCESS, limited, made
from collector.access.tokens import Token, digest
from collector.store.errors import Unavailable


class Channel:
    """Appends as the store does, each call remembered; `trouble` is what it fails with."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.trouble: Exception | None = None
        self.came = threading.Event()

    def __call__(self, tables: dict[str, pa.Table]) -> "Future[bool]":
        """Remember who did something."""
        future: Future[bool] = Future()
        if self.trouble is not None:
            future.set_exception(self.trouble)
            return future
        self.calls.append(tables[audit.TABLE]["who"].to_pylist())
        self.came.set()
        future.set_result(True)
        return future


def deed(who: str) -> Deed:
    """Anything that somebody did."""
    return Deed(who=who, what="export")


def test_a_question_is_known_by_its_hash_and_length():
    """The text of a statement stands nowhere: a value in it may be what somebody said (X-34)."""
    text = "SELECT * FROM runs WHERE input = 'my secret'"
    asked = question("id1", text, "done", 7)
    assert (asked.about, asked.size, asked.row_count) == (hashlib.sha256(text.encode()).hexdigest(), len(text), 7)
    assert "secret" not in str(audit.rows([asked])[audit.TABLE])


def test_changes_are_known_by_their_tables():
    """A token's rows are about that token; tables that are not named, and empty ones, are no deeds."""
    names = {f"access.{table}": what for table, what in ACCESS.audited.items()} | {"grading.labels": "label"}
    token = Token("id1", "ingest", digest("s"), created=1, in_flight_bytes=5)
    labels = pa.table({"notes": ["what a person said", "and more"]})
    tables = {**made(token), "grading.labels": labels, "grading.gradings": labels, "access.revocations": labels[:0]}
    found = [(one.who, one.what, one.row_count, one.about) for one in audit.changes("local", tables, names)]
    assert found == [
        ("local", "token created", 1, "id1"),
        ("local", "token limited", 1, "id1"),
        ("local", "label", 2, None),
    ]
    assert [one.what for one in audit.changes("local", limited("id1", 1, 1), names)] == ["token limited"]


def test_questions_are_written_together_a_moment_later():
    """Whoever notes one does not wait, and those of a moment make one append."""
    channel = Channel()
    journal = Journal(channel, every=0.2)
    for who in "abc":
        journal.note(deed(who))
    assert channel.calls == []
    assert channel.came.wait(20)
    assert channel.calls == [["a", "b", "c"]]
    journal.close()


def test_what_waits_is_written_at_the_end():
    """Closing does not wait for the moment to pass, and loses nothing."""
    channel = Channel()
    journal = Journal(channel, every=3600)
    journal.note(deed("a"))
    journal.close()
    assert channel.calls == [["a"]]


def test_a_deed_is_written_before_it_is_answered():
    """With it goes what waits, in order."""
    channel = Channel()
    journal = Journal(channel, every=3600)
    journal.note(deed("a"))
    journal.record(deed("b"))
    assert channel.calls == [["a", "b"]]
    journal.close()
    assert channel.calls == [["a", "b"]]


def test_what_cannot_be_written_now_waits(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    """In its order; beyond a number the oldest go, and that, and what is left at the end, is logged without names."""
    monkeypatch.setattr(audit, "MOST", 3)
    channel = Channel()
    journal = Journal(channel, every=3600)
    channel.trouble = Unavailable("The store is being reopened.")
    for who in "abcd":
        journal.record(deed(who))
    assert "1 rows of the audit table are lost" in caplog.text
    channel.trouble = None
    assert journal.flush()
    assert channel.calls == [["b", "c", "d"]]
    channel.trouble = Unavailable("The store is shutting down.")
    journal.record(deed("e"))
    with caplog.at_level(logging.ERROR):
        journal.close()
    assert "1 rows of the audit table could not be written" in caplog.text
