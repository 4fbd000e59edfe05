-- Revisions stored twice; spans of which not exactly one revision is read; notes of revisions that are not there.
WITH marked AS (
    SELECT s.trace_id, s.span_id, s.content_hash, r.commit_row IS NULL AS read
    FROM evidence.spans s
    LEFT JOIN (SELECT DISTINCT commit_seq, commit_row FROM evidence.superseded) r
        ON r.commit_seq = s.commit_seq AND r.commit_row = s.commit_row
), by_span AS (
    SELECT count(*) AS revisions, count(DISTINCT content_hash) AS different, count(*) FILTER (read) AS read
    FROM marked GROUP BY trace_id, span_id
)
SELECT
    coalesce(sum(revisions - different), 0)::BIGINT AS twice,
    count(*) FILTER (read <> 1)::BIGINT AS ambiguous,
    (SELECT count(*) FROM evidence.superseded n
     ANTI JOIN evidence.spans s ON s.commit_seq = n.commit_seq AND s.commit_row = n.commit_row)::BIGINT AS dangling
FROM by_span
