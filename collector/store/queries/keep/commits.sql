-- The whole ledger, so that numbers go on where they were; each commit counts the rows of it that are left.
WITH kept_spans AS (
    SELECT s.commit_seq, count(*) AS rows FROM evidence.spans s
    ANTI JOIN (SELECT unnest($traces::VARCHAR[]) AS trace_id) d ON d.trace_id = s.trace_id
    GROUP BY s.commit_seq
),
kept_logs AS (
    SELECT l.commit_seq, count(*) AS rows FROM evidence.logs l
    ANTI JOIN (SELECT unnest($traces::VARCHAR[]) AS trace_id) d ON d.trace_id = l.trace_id
    ANTI JOIN (SELECT unnest($logs::VARCHAR[]) AS content_hash) h ON h.content_hash = l.content_hash AND l.trace_id IS NULL
    WHERE l.trace_id IS NOT NULL OR l.commit_seq > $upto::UBIGINT
    GROUP BY l.commit_seq
)
SELECT c.* REPLACE (coalesce(s.rows, 0)::UBIGINT AS spans, coalesce(l.rows, 0)::UBIGINT AS logs)
FROM evidence.commits c
LEFT JOIN kept_spans s ON s.commit_seq = c.seq
LEFT JOIN kept_logs l ON l.commit_seq = c.seq
ORDER BY c.seq
