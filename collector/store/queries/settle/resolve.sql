-- The traces that these ids mean, each with the id: a trace's id, or a run's (an absorbed one's too).
WITH asked AS (SELECT unnest($ids::VARCHAR[]) AS id)
SELECT asked.id, a.trace_id FROM evidence.arrivals a JOIN asked ON a.trace_id = asked.id
UNION
SELECT asked.id, m.trace_id FROM canonical.run_members m JOIN asked ON m.run_id = asked.id
UNION
SELECT asked.id, m.trace_id FROM run_members m
JOIN run_aliases l ON l.run_id = m.run_id
JOIN asked ON l.alias = asked.id
