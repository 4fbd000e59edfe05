-- The spans that a rewrite leaves in the store.
SELECT s.* FROM evidence.spans s
ANTI JOIN (SELECT unnest($traces::VARCHAR[]) AS trace_id) d ON d.trace_id = s.trace_id
