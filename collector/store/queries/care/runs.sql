-- Every run, of any build, that rests on one of these traces, with all the traces that it ever rested on (null where none is on
-- record any more). Former ids count, both ways: what was said under one may be about traces that only the run of now names.
WITH RECURSIVE named AS (
    SELECT run_id, absorbed_by AS other FROM canonical.runs WHERE absorbed_by <> ''
    UNION ALL
    SELECT absorbed_by, run_id FROM canonical.runs WHERE absorbed_by <> ''
),
hit AS (
    SELECT run_id FROM canonical.run_members WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
    UNION
    SELECT run_id FROM canonical.runs WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
    UNION
    SELECT n.other FROM hit h JOIN named n ON n.run_id = h.run_id
)
SELECT DISTINCT h.run_id, m.trace_id FROM hit h LEFT JOIN canonical.run_members m ON m.run_id = h.run_id
