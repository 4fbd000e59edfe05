"""How a collector does, for people."""

import copy
from typing import Any

from collector.cli.render.status import lines

FOUND: dict[str, Any] = {
    "running": True,
    "place": "s.duckdb",
    "collector": {
        "pid": 7,
        "started": 1_790_000_000.0,
        "seconds": 93_784.0,
        "listens": {"grpc": "127.0.0.1:4317", "http": "http://127.0.0.1:4318", "reads": "http://127.0.0.1:9"},
        "ready": False,
        "trouble": "queue_full",
        "file_bytes": {"store": 3 << 30, "log": 5 << 20},
        "per_second": {"spans": 1234.56, "logs": 0.0, "requests": 20.0},
        "per_second_over": 60.0,
        "received": {"spans": 10, "logs": 2},
        "stored": {"spans": 7, "logs": 2},
        "duplicate": {"spans": 1, "logs": 0},
        "put_off": {"spans": 0, "logs": 0},
        "refused": {"spans trace_id_zero": 2},
        "credentials_refused": {"exports unauthenticated": 3},
        "statements": {"answered": 4, "refused": 1},
        "in_flight_bytes": 2048,
        "queue_requests": 5,
        "groups": 6,
        "commit_seconds": 0.012,
        "spooled": 2,
        "commit_failures": 1,
        "last_checkpoint": 1_790_000_060.0,
        "lag_seconds": 4.2,
    },
    "store": {
        "spans": 7000,
        "logs": 2,
        "traces": 3,
        "runs": 2,
        "open_runs": 1,
        "last_commit": "2026-09-21 14:14:00.123",
        "waiting_traces": 1,
    },
}


def shown(found: dict[str, Any]) -> str:
    """The lines as text."""
    return "\n".join(line.plain for line in lines(found))


def test_everything_is_told():
    """Each fact has its line, with units for people."""
    assert shown(FOUND).splitlines() == [
        "collector       process 7, since 2026-09-21 14:13:20 UTC (1 d 2 h); takes no data now: queue full",
        "listens         OTLP/gRPC 127.0.0.1:4317, OTLP/HTTP http://127.0.0.1:4318, reads http://127.0.0.1:9",
        "store           s.duckdb, 3.0 GiB, 5 MiB of log",
        "holds           7,000 spans, 2 logs, 3 traces, 2 runs (1 open)",
        "last commit     2026-09-21 14:14:00 UTC",
        "waiting         1 trace for their trees, the oldest for 4.2 s",
        "last minute     1,234.6 spans/s, 0.0 logs/s, 20.0 requests/s",
        "received        10 spans, 2 logs",
        "stored          7 spans, 2 logs",
        "duplicate       1 spans, 0 logs",
        "put off         0 spans, 0 logs",
        "refused         2 spans trace_id_zero",
        "no valid token  3 exports unauthenticated",
        (
            "commits         6 groups, 12 ms each on average, 1 failed, 2 requests answered before theirs; 2 KiB in flight, "
            "5 requests queued"
        ),
        "last checkpoint 2026-09-21 14:14:20 UTC",
        "free SQL        4 answered, 1 refused",
    ]


def test_a_file_is_told_alone():
    """Without a collector its lines are missing, and that there is none is said; an empty store has no last commit."""
    held = FOUND["store"] | {"file_bytes": {"store": 512}, "last_commit": None, "open_runs": 0}
    text = shown({"running": False, "place": "s.duckdb", "collector": None, "store": held})
    assert text.splitlines()[0] == "collector       none runs for this store"
    assert "s.duckdb, 512 B" in text
    assert "none yet" in text
    assert "received" not in text


def test_after_a_start_the_time_is_told():
    """Rates over less than half a minute say over what; hours and minutes are told apart."""
    found = copy.deepcopy(FOUND)
    found["collector"] |= {"per_second_over": 9.7, "seconds": 7_260.0, "last_checkpoint": None, "commit_seconds": None}
    text = shown(found)
    assert "last 10 s       1,234.6 spans/s" in text
    assert "(2 h 1 min)" in text
    assert "none since the start" in text


def test_a_place_cannot_give_orders():
    """Control characters of a path are shown escaped (X-09)."""
    assert "\x1b" not in shown(FOUND | {"place": "a\x1b[31m"})
