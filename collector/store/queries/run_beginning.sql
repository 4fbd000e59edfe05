-- The runs that the beginning of an id means, with their trees: of a run's id, an absorbed run's or a trace's. Several rows:
-- more than one begins so. Who has an id in full asks `run`.
WITH meant AS (
    SELECT run_id FROM runs WHERE starts_with(run_id, $id::VARCHAR)
    UNION
    SELECT run_id FROM run_aliases WHERE starts_with(alias, $id::VARCHAR)
    UNION
    SELECT run_id FROM run_members WHERE starts_with(trace_id, $id::VARCHAR)
)
SELECT * REPLACE (started::TIMESTAMP AS started, ended::TIMESTAMP AS ended, last_arrival::TIMESTAMP AS last_arrival)
FROM runs WHERE run_id IN (FROM meant) ORDER BY runs.started, run_id LIMIT 100
