-- The runs that an id means, with their trees: a run's id, an absorbed run's, or a trace's. Several rows: the trace holds
-- several runs. An id that is not given in full is looked for by `run_beginning`, which reads more and takes longer.
WITH meant AS (
    SELECT $id::VARCHAR AS run_id
    UNION
    SELECT run_id FROM run_aliases WHERE alias = $id::VARCHAR
    UNION
    SELECT run_id FROM run_members WHERE trace_id = $id::VARCHAR
)
SELECT * REPLACE (started::TIMESTAMP AS started, ended::TIMESTAMP AS ended, last_arrival::TIMESTAMP AS last_arrival)
FROM runs WHERE run_id IN (FROM meant) ORDER BY runs.started, run_id LIMIT 100
