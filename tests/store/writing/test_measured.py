"""The committer's watch."""

from concurrent.futures import Future

import pytest

from collector.store.file.database import Database
from collector.store.writing.group import Request, Rows
from collector.store.writing.measured import MeasuredCommitter
from collector.store.writing.writer import Writer
from tests.store.rows import log, logs, span, spans


def test_groups_and_revisions_are_counted():
    """Each group is one time; a span that comes again with another content is a revision, and a mere copy is none."""
    database = Database(":memory:")
    writer = Writer(database)
    for decoded in (spans(span(1, 1)), spans(span(1, 1)), spans(span(1, 1, name="other")), logs(log(1, 1))):
        writer.submit(decoded).result(60)
    writer.close()
    measured = writer.measured
    assert (measured.commits.now().count, measured.revisions, measured.failures) == (4, 1, 0)
    assert measured.commits.now().seconds > 0
    database.close()


def test_a_checkpoint_is_timed():
    """A checkpoint is counted when it was made, with the moment of its end, and not where a reader held it up."""
    database = Database(":memory:")
    committer = MeasuredCommitter(database)
    with database.hold.reading():
        assert not committer.checkpoint(merge=False)
    assert (committer.measured.checkpoints.now().count, committer.measured.checkpoint_at) == (0, 0.0)
    assert committer.checkpoint(merge=False)
    assert committer.measured.checkpoints.now().count == 1
    assert committer.measured.checkpoint_at > 1e9
    database.close()


def test_a_failed_group_is_counted():
    """Where nothing was stored the failure is counted, and no time."""
    database = Database(":memory:")
    committer = MeasuredCommitter(database)
    committer.close()
    with pytest.raises(Exception, match="closed"):
        committer.commit(None, Rows([Request(logs(log(1, 1)), Future(), 0.0)], committer.schemas["logs"]))
    assert (committer.measured.failures, committer.measured.commits.now().count) == (1, 0)
    database.close()
