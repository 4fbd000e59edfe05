-- The rows of one commit; `incoming` is the registered Arrow table. A test compares the columns with the schema.
INSERT INTO evidence.logs (
    commit_seq,
    trace_id, span_id, flags, time_ns, observed_ns, time, severity_number, severity_text, event_name, body,
    attributes, dropped_attributes_count, resource, resource_dropped_attributes_count, resource_schema_url,
    resource_entity_refs, scope_name, scope_version, scope_attributes, scope_dropped_attributes_count,
    scope_schema_url, service_name, conversation_id, beside, content_hash
)
SELECT
    $seq,
    trace_id, span_id, flags, time_ns, observed_ns, time, severity_number, severity_text, event_name, body,
    attributes, dropped_attributes_count, resource, resource_dropped_attributes_count, resource_schema_url,
    resource_entity_refs, scope_name, scope_version, scope_attributes, scope_dropped_attributes_count,
    scope_schema_url, service_name, conversation_id, beside, content_hash
FROM incoming
