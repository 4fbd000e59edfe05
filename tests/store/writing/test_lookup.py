"""Looking up what was perhaps seen."""

from pathlib import Path

from collector.answer.local import LocalStore
from collector.store.writing.identity import SpanKey
from collector.store.writing.lookup import filled, stored_logs, stored_spans
from collector.store.writing.seen import log_words, span_words
from tests.store.rows import log, logs, span, spans


def test_all_revisions_of_a_span_are_found(tmp_path: Path):
    """Each revision comes with its rank and whether it is superseded; unknown spans are left out."""
    with LocalStore(tmp_path / "a.duckdb") as store:
        poor, rich = span(1, 1, end_ns=0), span(1, 1)
        store.ingest(spans(poor)).result()
        store.ingest(spans(rich)).result()
        key, unknown = SpanKey(poor["trace_id"], poor["span_id"]), SpanKey("f" * 32, "f" * 16)
        found = stored_spans(store.database.cursor(), [key, unknown, key])
        assert {content: revision.superseded for content, revision in found[key].items()} == {
            poor["content_hash"]: True,
            rich["content_hash"]: False,
        }
        assert unknown not in found
        assert stored_spans(store.database.cursor(), [unknown]) == {}


def test_logs_are_found_by_their_content(tmp_path: Path):
    """Records with these hashes come back with what identifies them, without a time too."""
    with LocalStore(tmp_path / "a.duckdb") as store:
        kept = logs(log(1, 1), log(None, 2, time_ns=None))
        store.ingest(kept).result()
        found = stored_logs(store.database.cursor(), kept.columns)
        assert {content for content, *_ in found} == set(kept.columns["content_hash"])


def test_the_filters_are_filled_from_the_store(tmp_path: Path):
    """After opening, every stored identity is perhaps seen, over several chunks too."""
    with LocalStore(tmp_path / "a.duckdb") as store:
        kept, told = spans(*(span(1, n) for n in range(3000))), logs(log(1, 1))
        store.ingest(kept).result()
        store.ingest(told).result()
        cursor = store.database.cursor()
        assert filled(cursor, "identity/seen_spans").perhaps(span_words(b"".join(kept.keys))).all()
        hashes = bytes.fromhex("".join(told.columns["content_hash"]))
        assert filled(cursor, "identity/seen_logs").perhaps(log_words(hashes)).all()
