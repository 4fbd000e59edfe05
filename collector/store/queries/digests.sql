-- The runs that hold these traces, each with the digests of its tree and of its messages.
SELECT run_id, tree_digest, messages_digest FROM runs
WHERE run_id IN (SELECT m.run_id FROM run_members m WHERE m.trace_id IN (SELECT unnest($traces::VARCHAR[])))
ORDER BY run_id
