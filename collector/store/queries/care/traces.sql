-- Every trace: when its newest evidence was committed, and about how much of the file it takes.
WITH sizes AS (
    SELECT trace_id, sum(256 + strlen(attributes) + strlen(events))::UBIGINT AS bytes
    FROM evidence.spans WHERE $sizes::BOOLEAN GROUP BY trace_id
)
SELECT a.trace_id, epoch_ns(max(c.committed_at)) AS newest, max(a.seq) AS seq, coalesce(max(s.bytes), 1) AS bytes
FROM evidence.arrivals a
JOIN evidence.commits c ON c.seq = a.seq
LEFT JOIN sizes s ON s.trace_id = a.trace_id
GROUP BY a.trace_id
