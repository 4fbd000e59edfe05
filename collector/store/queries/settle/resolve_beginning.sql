-- The traces that beginnings of ids mean: of a trace's id, or of a run's (an absorbed one's too).
WITH asked AS (SELECT unnest($ids::VARCHAR[]) AS id)
SELECT a.trace_id FROM evidence.arrivals a JOIN asked ON starts_with(a.trace_id, asked.id)
UNION
SELECT m.trace_id FROM canonical.run_members m JOIN asked ON starts_with(m.run_id, asked.id)
UNION
SELECT m.trace_id FROM run_members m
JOIN run_aliases l ON l.run_id = m.run_id
JOIN asked ON starts_with(l.alias, asked.id)
