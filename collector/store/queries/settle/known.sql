-- What the settler may have to look up again, 16 bytes each: traces that were built, runs, and what traces offer and want.
-- Fills the filter at open; `known.py` makes the same keys.
SELECT unhex(md5('built ' || trace_id)) AS identity FROM (SELECT DISTINCT trace_id FROM canonical.builds)
UNION ALL
SELECT unhex(md5('run ' || run_id)) FROM (SELECT DISTINCT run_id FROM canonical.runs)
UNION ALL
SELECT unhex(md5(role || ' ' || kind || ' ' || key)) FROM (SELECT DISTINCT role, kind, key FROM canonical.references)
