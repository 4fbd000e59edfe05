-- Every stored revision of the given spans, with what decides which revision is the richer one.
WITH asked AS (
    SELECT DISTINCT unnest($traces::VARCHAR[]) AS trace_id, unnest($spans::VARCHAR[]) AS span_id
)
SELECT
    s.trace_id, s.span_id, s.content_hash, s.end_ns,
    CASE WHEN json_valid(s.attributes) THEN len(json_keys(s.attributes)) ELSE 0 END AS attributes,
    r.commit_row IS NOT NULL AS superseded, s.commit_seq, s.commit_row,
    s.beside, s.start_ns, s.status_code,
    CASE WHEN json_valid(s.events) THEN json_array_length(s.events) ELSE 0 END AS events
FROM evidence.spans s
LEFT JOIN evidence.superseded r ON r.commit_seq = s.commit_seq AND r.commit_row = s.commit_row
SEMI JOIN asked ON asked.trace_id = s.trace_id AND asked.span_id = s.span_id
WHERE s.commit_seq BETWEEN $low AND $high
