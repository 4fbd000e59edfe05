-- The rows of one trace, found as every reader finds them: statistics say which parts of the table are not even looked at.
SELECT count(*)::BIGINT AS n FROM evidence.spans WHERE trace_id = $trace
