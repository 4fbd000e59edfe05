-- When the newest evidence of each of these traces was committed.
SELECT a.trace_id, epoch_ns(max(c.committed_at)) AS at_ns FROM evidence.arrivals a
JOIN evidence.commits c ON c.seq = a.seq
WHERE a.trace_id IN (SELECT unnest($traces::VARCHAR[]))
GROUP BY a.trace_id
