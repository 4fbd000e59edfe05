-- Stored log records of these hashes; the window of times prunes the scan.
SELECT content_hash, trace_id, span_id, time_ns FROM evidence.logs
WHERE content_hash IN (SELECT unnest($hashes::VARCHAR[]))
  AND (time_ns BETWEEN $low AND $high OR time_ns IS NULL)
