-- The trees of these runs.
SELECT run_id, tree FROM runs WHERE run_id IN (SELECT unnest($runs::VARCHAR[])) AND tree IS NOT NULL
