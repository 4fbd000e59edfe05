-- The trees of all runs, in the order of their start.
SELECT run_id, tree FROM runs ORDER BY started, run_id
