-- The conversations of these runs, each job's messages in order; times are nanoseconds since the epoch.
SELECT run_id, job_id, role, text, calls, call_id, finish, epoch_ns("at") AS "at", flags, spans FROM messages
WHERE run_id IN (SELECT unnest($runs::VARCHAR[]))
ORDER BY run_id, job_id, position
