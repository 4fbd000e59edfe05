-- Every run, of any build, that rests on one of these traces, with all the traces that it ever rested on (null where none is on
-- record any more). Former ids count, both ways: what was said under one may be about traces that only the run of now names.
WITH RECURSIVE hit AS (
    SELECT run_id FROM canonical.run_members WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
    UNION
    SELECT run_id FROM canonical.runs WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
    UNION
    SELECT CASE WHEN r.run_id = h.run_id THEN r.absorbed_by ELSE r.run_id END
    FROM hit h JOIN canonical.runs r ON r.absorbed_by <> '' AND (r.run_id = h.run_id OR r.absorbed_by = h.run_id)
)
SELECT DISTINCT h.run_id, m.trace_id FROM hit h LEFT JOIN canonical.run_members m ON m.run_id = h.run_id
