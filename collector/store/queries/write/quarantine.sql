INSERT INTO evidence.quarantine (commit_seq, kind, trace_id, span_id, reason, "row")
SELECT $seq, $kind, unnest($traces::VARCHAR[]), unnest($spans::VARCHAR[]), $reason, unnest($rows::VARCHAR[])
