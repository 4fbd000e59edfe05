-- All log records of these traces; the bounds prune the scan.
SELECT * FROM logs
WHERE commit_seq BETWEEN $low AND $high AND trace_id IN (SELECT unnest($traces::VARCHAR[]))
