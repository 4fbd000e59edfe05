-- All log records of these traces, with the columns that trees are built from; the bounds prune the scan.
SELECT trace_id, span_id, time_ns, observed_ns, event_name, attributes, body, beside FROM logs
WHERE commit_seq BETWEEN $low AND $high AND trace_id IN (SELECT unnest($traces::VARCHAR[]))
