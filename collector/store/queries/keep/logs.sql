-- The log records that a rewrite leaves: those without a trace go by the commit that brought them, or one by one.
SELECT l.* FROM evidence.logs l
ANTI JOIN (SELECT unnest($traces::VARCHAR[]) AS trace_id) d ON d.trace_id = l.trace_id
ANTI JOIN (SELECT unnest($logs::VARCHAR[]) AS content_hash) h ON h.content_hash = l.content_hash AND l.trace_id IS NULL
WHERE l.trace_id IS NOT NULL OR l.commit_seq > $upto::UBIGINT
