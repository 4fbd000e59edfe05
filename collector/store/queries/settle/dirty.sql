-- Traces with evidence that is not in their tree yet, each with the first and the last commit of all of it, the oldest first.
SELECT a.trace_id, min(a.seq) AS first, max(a.seq) AS seq
FROM evidence.arrivals a
LEFT JOIN (
    SELECT trace_id, max(upto_seq) AS upto FROM canonical.builds GROUP BY trace_id
) b ON b.trace_id = a.trace_id
GROUP BY a.trace_id
HAVING max(a.seq) > coalesce(max(b.upto), 0)
ORDER BY seq, a.trace_id
