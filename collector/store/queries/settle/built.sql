-- Those of these traces that were built before.
SELECT DISTINCT trace_id FROM canonical.builds WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
