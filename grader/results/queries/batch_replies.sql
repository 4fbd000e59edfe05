-- The replies of a batch, oldest run first.
SELECT r.run_id, r.case_name, r.input, r.reply
FROM runs r
WHERE r.batch = $batch AND r.reply IS NOT NULL
ORDER BY r.started, r.run_id
