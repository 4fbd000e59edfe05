-- References of these traces that are stored already.
SELECT trace_id, kind, key, role FROM canonical.references
WHERE trace_id IN (SELECT unnest($traces::VARCHAR[]))
