-- When the newest evidence of each of these traces was committed; no evidence of theirs is older than `$low`.
SELECT a.trace_id, epoch_ns(max(c.committed_at)) AS at_ns FROM evidence.arrivals a
JOIN evidence.commits c ON c.seq = a.seq
WHERE a.seq >= $low AND c.seq >= $low AND a.trace_id IN (SELECT unnest($traces::VARCHAR[]))
GROUP BY a.trace_id
