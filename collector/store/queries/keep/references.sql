SELECT r.* FROM canonical.references r
ANTI JOIN (SELECT unnest($rebuilt::VARCHAR[]) AS trace_id) d ON d.trace_id = r.trace_id
