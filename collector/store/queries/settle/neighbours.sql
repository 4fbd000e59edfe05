-- Stored traces that are one step away from a set of traces: those that a link of theirs names, those whose links name
-- them, and those that offer a key that they want, or the reverse. `$kinds`, `$keys` and `$roles` are references of the
-- set that are not stored yet.
WITH members AS (SELECT unnest($traces::VARCHAR[]) AS trace_id),
mine AS (
    SELECT unnest($kinds::VARCHAR[]) AS kind, unnest($keys::VARCHAR[]) AS key, unnest($roles::VARCHAR[]) AS role
    UNION
    SELECT kind, key, role FROM canonical.references WHERE trace_id IN (FROM members)
),
near AS (
    SELECT a.trace_id FROM evidence.arrivals a
    WHERE a.trace_id IN (SELECT key FROM mine WHERE kind = 'link' AND role = 'wants')
    UNION
    SELECT r.trace_id FROM canonical.references r
    WHERE r.kind = 'link' AND r.role = 'wants' AND r.key IN (FROM members)
    UNION
    SELECT r.trace_id FROM canonical.references r
    JOIN mine m ON m.kind = r.kind AND m.key = r.key AND m.role <> r.role
    WHERE r.kind <> 'link'
)
SELECT trace_id FROM near WHERE trace_id NOT IN (FROM members) ORDER BY trace_id
