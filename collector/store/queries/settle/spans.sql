-- All spans of these traces; the bounds prune the scan.
SELECT * FROM spans
WHERE commit_seq BETWEEN $low AND $high AND trace_id IN (SELECT unnest($traces::VARCHAR[]))
