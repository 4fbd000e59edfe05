-- The rows of one commit; `incoming` is the registered Arrow table. A test compares the columns with the schema.
INSERT INTO evidence.spans (
    commit_seq, commit_row,
    trace_id, span_id, parent_span_id, trace_state, flags, name, kind, start_ns, end_ns, start_time, end_time,
    duration_ns, status_code, status_message, attributes, dropped_attributes_count, events,
    dropped_events_count, links, dropped_links_count, resource, resource_dropped_attributes_count,
    resource_schema_url, resource_entity_refs, scope_name, scope_version, scope_attributes,
    scope_dropped_attributes_count, scope_schema_url, service_name, operation, span_kind, agent_name,
    conversation_id, provider, request_model, response_model, response_id, tool_name, tool_call_id,
    input_tokens, output_tokens, cost_usd, error_type, job_id, case_name, suite_name, batch, beside,
    content_hash
)
SELECT
    $seq, commit_row,
    trace_id, span_id, parent_span_id, trace_state, flags, name, kind, start_ns, end_ns, start_time, end_time,
    duration_ns, status_code, status_message, attributes, dropped_attributes_count, events,
    dropped_events_count, links, dropped_links_count, resource, resource_dropped_attributes_count,
    resource_schema_url, resource_entity_refs, scope_name, scope_version, scope_attributes,
    scope_dropped_attributes_count, scope_schema_url, service_name, operation, span_kind, agent_name,
    conversation_id, provider, request_model, response_model, response_id, tool_name, tool_call_id,
    input_tokens, output_tokens, cost_usd, error_type, job_id, case_name, suite_name, batch, beside,
    content_hash
FROM incoming
