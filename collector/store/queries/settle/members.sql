-- The runs that hold these traces now, each with all its traces.
SELECT run_id, trace_id FROM run_members
WHERE run_id IN (SELECT m.run_id FROM run_members m WHERE m.trace_id IN (SELECT unnest($traces::VARCHAR[])))
