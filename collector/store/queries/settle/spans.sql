-- All spans of these traces, with the columns that trees are built from; the bounds prune the scan.
SELECT
    trace_id, span_id, parent_span_id, name, kind, start_ns, end_ns, status_code, status_message, attributes, scope_name,
    resource, dropped_attributes_count, dropped_events_count, flags, events, links, beside
FROM spans
WHERE commit_seq BETWEEN $low AND $high AND trace_id IN (SELECT unnest($traces::VARCHAR[]))
