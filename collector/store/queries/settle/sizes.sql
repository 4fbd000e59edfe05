-- How much evidence each of these traces has: they are built in batches of a bounded size.
SELECT trace_id, count(*) AS spans, sum(strlen(attributes) + strlen(events) + strlen(resource))::UBIGINT AS bytes
FROM evidence.spans
WHERE commit_seq BETWEEN $low AND $high AND trace_id IN (SELECT unnest($traces::VARCHAR[]))
GROUP BY trace_id
