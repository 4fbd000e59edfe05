SELECT a.* FROM evidence.arrivals a
ANTI JOIN (SELECT unnest($traces::VARCHAR[]) AS trace_id) d ON d.trace_id = a.trace_id
