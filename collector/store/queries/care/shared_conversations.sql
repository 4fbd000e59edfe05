-- The conversations that this trace has a part in, and other traces, too.
WITH told AS (
    SELECT trace_id, conversation_id FROM evidence.spans WHERE conversation_id IS NOT NULL
    UNION ALL
    SELECT trace_id, conversation_id FROM evidence.logs WHERE conversation_id IS NOT NULL
)
SELECT conversation_id FROM told
WHERE conversation_id IN (SELECT conversation_id FROM told WHERE trace_id = $trace::VARCHAR)
GROUP BY conversation_id HAVING count(DISTINCT trace_id) > 1 OR bool_or(trace_id IS NULL)
ORDER BY conversation_id
