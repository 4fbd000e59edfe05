-- Some traces, to compare two ways of finding their rows.
SELECT DISTINCT trace_id FROM evidence.spans ORDER BY hash(trace_id) LIMIT 32
