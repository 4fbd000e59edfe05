-- Traces of a commit that the table of arrivals does not know: readers by trace would not find their rows.
SELECT count(*)::BIGINT AS unknown FROM (
    SELECT DISTINCT commit_seq, trace_id FROM evidence.spans
    UNION
    SELECT DISTINCT commit_seq, trace_id FROM evidence.logs WHERE trace_id IS NOT NULL
) s
ANTI JOIN evidence.arrivals a ON a.seq = s.commit_seq AND a.trace_id = s.trace_id
