-- Commits that the ledger lacks between its first and its last, and commits that stand in it twice.
SELECT coalesce(max(seq) - min(seq) + 1 - count(DISTINCT seq), 0)::BIGINT AS missing, (count(*) - count(DISTINCT seq))::BIGINT AS repeated
FROM evidence.commits
