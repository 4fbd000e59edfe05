-- Which traces make up which run, now.
SELECT run_id, trace_id FROM run_members
