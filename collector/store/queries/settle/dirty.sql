-- Traces with evidence that is not in their tree yet, the oldest evidence first.
SELECT a.trace_id, max(a.seq) AS seq
FROM evidence.arrivals a
LEFT JOIN (
    SELECT trace_id, max(upto_seq) AS upto FROM canonical.builds GROUP BY trace_id
) b ON b.trace_id = a.trace_id
GROUP BY a.trace_id
HAVING max(a.seq) > coalesce(max(b.upto), 0)
ORDER BY seq, a.trace_id
