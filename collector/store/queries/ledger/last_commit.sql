-- The highest commit, and the rows of all commits; zeros in an empty store.
SELECT coalesce(max(seq), 0) AS seq, coalesce(sum(spans), 0)::UBIGINT AS spans, coalesce(sum(logs), 0)::UBIGINT AS logs
FROM evidence.commits
