-- How many runs the filters of a suite leave, without reading any of them.
SELECT count(*) AS runs
FROM runs r
WHERE ($service::VARCHAR IS NULL OR r.service = $service)
  AND ($agent::VARCHAR IS NULL OR r.agent = $agent)
  AND ($batch::VARCHAR IS NULL OR r.batch = $batch)
  AND ($since_ns::BIGINT IS NULL OR epoch_ns(r.started) >= $since_ns)
