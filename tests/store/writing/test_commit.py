"""The transaction of a group."""

from collections.abc import Generator
from concurrent.futures import Future

import pytest

from collector.decode.decoded import Decoded
from collector.store.file.database import Database
from collector.store.writing.commit import Committer
from collector.store.writing.group import Request, Rows
from tests.store.rows import log, logs, span, spans


@pytest.fixture
def database() -> Generator[Database]:
    """An empty store in memory."""
    opened = Database(":memory:")
    yield opened
    opened.close()


def rows(committer: Committer, *decoded: Decoded) -> Rows:
    """The rows of a group."""
    return Rows([Request(d, Future(), 0.0) for d in decoded], committer.schemas[decoded[0].kind])


def test_a_group_is_one_row_of_the_ledger(database: Database):
    """Spans and logs of one group share a commit, with their counts and the traces that they arrived for."""
    committer = Committer(database)
    traces = committer.commit(
        rows(committer, spans(span(1, 1), span(1, 1), span(2, 1))), rows(committer, logs(log(3, 1)))
    )
    assert traces == [f"{n:032x}" for n in (1, 2, 3)]
    cursor = database.cursor()
    ledger = cursor.execute("SELECT seq, spans, logs, duplicates FROM evidence.commits").fetchall()
    assert ledger == [(1, 2, 1, 1)]
    assert cursor.execute("SELECT count(*) FROM evidence.arrivals WHERE seq = 1").fetchall() == [(3,)]


def test_duplicates_alone_change_nothing(database: Database):
    """A group of nothing but duplicates makes no commit; the next one counts them."""
    committer = Committer(database)
    committer.commit(rows(committer, spans(span(1, 1))), None)
    assert committer.commit(rows(committer, spans(span(1, 1))), None) == []
    assert committer.seq == 1
    committer.commit(rows(committer, spans(span(1, 2))), None)
    assert database.cursor().execute("SELECT seq, duplicates FROM evidence.commits").fetchall() == [(1, 0), (2, 1)]


def test_an_error_leaves_nothing_behind(database: Database):
    """Where the transaction cannot be finished nothing of it is stored, and the next group has its number."""
    committer = Committer(database)
    finish = committer._commit

    def full() -> None:
        raise MemoryError

    committer._commit = full
    with pytest.raises(MemoryError):
        committer.commit(rows(committer, spans(span(1, 1))), None)
    committer._commit = finish
    committer.commit(rows(committer, spans(span(1, 1))), None)
    assert (committer.seq, database.cursor().execute("SELECT count(*) FROM spans").fetchall()) == (1, [(1,)])
