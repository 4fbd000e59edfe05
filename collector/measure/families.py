"""Every metric of the collector: name, kind, labels, meaning. Labels hold words of ours, never a client's."""

from typing import Literal, NamedTuple

Kind = Literal["counter", "gauge", "histogram"]


class Family(NamedTuple):
    """One metric. `labels` are names; what they can be stands in `help`, a sentence."""

    name: str
    kind: Kind
    labels: tuple[str, ...]
    help: str


_ROWS = "kind (spans, logs)"

FAMILIES = (
    Family("tracegrade_rows_received_total", "counter", ("kind",), f"Rows that requests delivered, by {_ROWS}."),
    Family("tracegrade_rows_stored_total", "counter", ("kind",), f"Rows that were committed, by {_ROWS}."),
    Family("tracegrade_rows_duplicate_total", "counter", ("kind",), "Rows left out since they were stored already."),
    Family("tracegrade_rows_refused_total", "counter", ("kind", "reason"), "Rows refused for good, by reason code."),
    Family(
        "tracegrade_rows_put_off_total",
        "counter",
        ("kind",),
        "Rows that were not taken now and are to be sent again: the queue was full, or nothing could be committed.",
    ),
    Family(
        "tracegrade_span_revisions_total", "counter", (), "Spans that came again with another content; both are kept."
    ),
    Family(
        "tracegrade_requests_total",
        "counter",
        ("transport", "signal", "answer"),
        "Answers to OTLP requests: HTTP by status, gRPC by the name of its code.",
    ),
    Family(
        "tracegrade_credentials_refused_total",
        "counter",
        ("door", "verdict"),
        "Requests without a valid token, by door (exports, loads, reads) and verdict.",
    ),
    Family(
        "tracegrade_in_flight_bytes", "gauge", (), "Bytes of requests in memory, from their arrival to their answer."
    ),
    Family(
        "tracegrade_in_flight_limit_bytes", "gauge", (), "Beyond it requests are put off (setting in_flight_bytes)."
    ),
    Family(
        "tracegrade_queue_requests", "gauge", (), "Decoded requests that wait for their commit or are being committed."
    ),
    Family("tracegrade_queue_bytes", "gauge", (), "Decoded bytes that wait for their commit or are being committed."),
    Family(
        "tracegrade_commit_seconds", "histogram", (), "Time that a group of requests took to be judged and committed."
    ),
    Family(
        "tracegrade_requests_spooled_total",
        "counter",
        (),
        "Requests (several of one moment count as one) answered from the spool: under load, and while a checkpoint or a large "
        "append ran.",
    ),
    Family("tracegrade_commit_failures_total", "counter", (), "Groups whose commit failed; their clients send again."),
    Family("tracegrade_checkpoint_seconds", "histogram", (), "Time that moving the log into the file took."),
    Family(
        "tracegrade_checkpoint_timestamp_seconds",
        "gauge",
        (),
        "When the last checkpoint ended (Unix time; 0: none yet).",
    ),
    Family("tracegrade_newest_commit", "gauge", (), "Number of the newest commit."),
    Family("tracegrade_waiting_traces", "gauge", (), "Traces with evidence that is not in their tree yet."),
    Family(
        "tracegrade_tree_lag_seconds",
        "gauge",
        (),
        "Age of the oldest commit that is not in its trees yet; 0 where all are.",
    ),
    Family("tracegrade_sql_statements_total", "counter", ("answer",), "Free SQL: answered, refused, or failed."),
    Family(
        "tracegrade_store_bytes",
        "gauge",
        ("file",),
        "Size of the store's files (file: store, log, spool).",
    ),
    Family("tracegrade_ready", "gauge", (), "1 where data is taken (as /readyz says), else 0."),
    Family("tracegrade_start_timestamp_seconds", "gauge", (), "When the collector started (Unix time)."),
)
"""In the order of the page."""
