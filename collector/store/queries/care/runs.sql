-- Every run, of any build, that rests on one of these traces, with all the traces that it ever rested on.
SELECT DISTINCT m.run_id, m.trace_id FROM canonical.run_members m
WHERE m.run_id IN (
    SELECT run_id FROM canonical.run_members WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
    UNION
    SELECT run_id FROM canonical.runs WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
    UNION
    SELECT r.absorbed_by FROM canonical.runs r
    JOIN canonical.run_members o ON o.run_id = r.run_id AND o.trace_id IN (SELECT unnest($traces::VARCHAR[]))
)
