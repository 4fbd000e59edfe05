-- The spans of a trace in the order of their start, without the long columns.
SELECT
    trace_id, span_id, parent_span_id, name, kind, start_time::TIMESTAMP AS start_time, end_time::TIMESTAMP AS end_time, start_ns, end_ns, duration_ns,
    status_code, status_message, service_name, scope_name, operation, span_kind, agent_name, tool_name, tool_call_id,
    request_model, response_model, input_tokens, output_tokens, error_type, links
FROM spans
WHERE trace_id = $trace_id::VARCHAR
ORDER BY start_ns, span_id
