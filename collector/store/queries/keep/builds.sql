-- The newest build of each trace; traces without one are built again.
SELECT b.* FROM canonical.builds b
ANTI JOIN (SELECT unnest($rebuilt::VARCHAR[]) AS trace_id) d ON d.trace_id = b.trace_id
QUALIFY row_number() OVER (PARTITION BY b.trace_id ORDER BY b.build DESC) = 1
