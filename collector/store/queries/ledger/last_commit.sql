-- The highest commit, 0 in an empty store.
SELECT coalesce(max(seq), 0) AS seq FROM evidence.commits
