INSERT INTO evidence.commits (seq, committed_at, spans, logs, duplicates)
VALUES ($seq, make_timestamp_ns($now), $spans, $logs, $duplicates)
