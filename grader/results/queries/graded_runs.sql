-- The runs that a suite selects, with their trees. `$one` names a run, one of its former ids, or one of its traces.
SELECT
    r.run_id,
    r.tree,
    r.tree_digest,
    epoch_ns(r.last_arrival) AS last_arrival_ns
FROM runs r
WHERE ($service::VARCHAR IS NULL OR r.service = $service)
  AND ($agent::VARCHAR IS NULL OR r.agent = $agent)
  AND ($batch::VARCHAR IS NULL OR r.batch = $batch)
  AND ($since_ns::BIGINT IS NULL OR epoch_ns(r.started) >= $since_ns)
  AND ($one::VARCHAR IS NULL
       OR r.run_id = $one
       OR r.run_id IN (SELECT m.run_id FROM run_members m WHERE m.trace_id = $one)
       OR r.run_id IN (SELECT a.run_id FROM run_aliases a WHERE a.alias = $one))
ORDER BY r.started, r.run_id
