-- The commits that can hold spans of these traces: as two plain numbers they prune the scan that follows.
SELECT min(seq) AS low, max(seq) AS high FROM evidence.arrivals
WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
