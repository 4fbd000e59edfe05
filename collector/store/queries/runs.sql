-- Runs, newest first, without their trees; times in microseconds, which Python can hold. Every parameter may be NULL: no
-- filter. `$since` is nanoseconds since the epoch.
SELECT
    run_id, trace_id, service, agent, status, error, input, reply, conversation_id, case_name, suite_name, batch,
    started::TIMESTAMP AS started, ended::TIMESTAMP AS ended, seconds, open, last_arrival::TIMESTAMP AS last_arrival, jobs, tool_calls, model_calls, input_tokens, output_tokens, cost_usd,
    capture, attributes, dialects, tree_digest, build
FROM runs
WHERE ($since::BIGINT IS NULL OR runs.started >= make_timestamp_ns($since::BIGINT))
  AND ($service::VARCHAR IS NULL OR service = $service::VARCHAR)
  AND ($agent::VARCHAR IS NULL OR agent = $agent::VARCHAR)
  AND ($batch::VARCHAR IS NULL OR batch = $batch::VARCHAR)
ORDER BY runs.started DESC NULLS LAST, run_id
LIMIT $limit::BIGINT
