-- Rows by commit against the ledger: how many there are beyond it, and how many fewer.
WITH stored AS (
    SELECT commit_seq AS seq, count(*) FILTER (kind = 'spans') AS spans, count(*) FILTER (kind = 'logs') AS logs
    FROM (SELECT commit_seq, 'spans' AS kind FROM evidence.spans UNION ALL SELECT commit_seq, 'logs' FROM evidence.logs)
    GROUP BY commit_seq
), compared AS (
    SELECT coalesce(s.spans, 0)::BIGINT - coalesce(c.spans, 0)::BIGINT AS spans, coalesce(s.logs, 0)::BIGINT - coalesce(c.logs, 0)::BIGINT AS logs
    FROM evidence.commits c FULL JOIN stored s ON s.seq = c.seq
)
SELECT
    coalesce(sum(greatest(spans, 0) + greatest(logs, 0)), 0)::BIGINT AS beyond,
    coalesce(sum(greatest(-spans, 0) + greatest(-logs, 0)), 0)::BIGINT AS fewer
FROM compared
