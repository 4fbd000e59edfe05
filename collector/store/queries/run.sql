-- The runs that an id means, with their trees: a run's id, an absorbed run's, a trace's, or the beginning of one of these.
-- An id that is met in full hides those that only begin so. Several rows: the id is not unique, or the trace holds several runs.
WITH named AS (
    SELECT run_id AS id, run_id FROM runs WHERE starts_with(run_id, $id::VARCHAR)
    UNION
    SELECT alias, run_id FROM run_aliases WHERE starts_with(alias, $id::VARCHAR)
    UNION
    SELECT trace_id, run_id FROM run_members WHERE starts_with(trace_id, $id::VARCHAR)
),
meant AS (
    SELECT DISTINCT run_id FROM named
    WHERE id = $id::VARCHAR OR NOT EXISTS (FROM named n WHERE n.id = $id::VARCHAR)
)
SELECT * REPLACE (started::TIMESTAMP AS started, ended::TIMESTAMP AS ended, last_arrival::TIMESTAMP AS last_arrival)
FROM runs WHERE run_id IN (FROM meant) ORDER BY runs.started, run_id LIMIT 100
