-- Runs with a reply, the newest first, without their trees.
SELECT run_id FROM runs WHERE reply IS NOT NULL ORDER BY started DESC, run_id
