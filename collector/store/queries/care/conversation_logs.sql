-- The log records of a conversation that name no trace.
SELECT DISTINCT content_hash FROM evidence.logs WHERE conversation_id = $conversation::VARCHAR AND trace_id IS NULL
