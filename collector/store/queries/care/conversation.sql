-- The traces of a conversation: those that name it, and all members of runs in which a job names it.
SELECT DISTINCT trace_id FROM evidence.spans WHERE conversation_id = $conversation::VARCHAR
UNION
SELECT DISTINCT trace_id FROM evidence.logs WHERE conversation_id = $conversation::VARCHAR AND trace_id IS NOT NULL
UNION
SELECT m.trace_id FROM run_members m
WHERE m.run_id IN (
    SELECT run_id FROM runs WHERE conversation_id = $conversation::VARCHAR
    UNION
    SELECT run_id FROM jobs WHERE conversation_id = $conversation::VARCHAR
)
