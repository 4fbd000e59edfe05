-- Traces whose newest tree was made with a part that is another one today, the oldest first: `$parts` and `$versions` are
-- today's. A dialect that did not exist then may have something to say about any trace. With `$all` every trace that was built.
WITH today AS (SELECT unnest($parts::VARCHAR[]) AS part, unnest($versions::VARCHAR[]) AS version),
changed AS (
    SELECT normalizer, part FROM canonical.normalizers n
    WHERE NOT EXISTS (FROM today t WHERE t.part = n.part AND t.version = n.version)
),
everywhere AS (
    SELECT normalizer FROM changed WHERE part = 'assembler'
    UNION
    SELECT n.normalizer FROM (SELECT DISTINCT normalizer FROM canonical.normalizers) n, today t
    WHERE NOT EXISTS (FROM canonical.normalizers k WHERE k.normalizer = n.normalizer AND k.part = t.part)
),
newest AS (
    SELECT trace_id, arg_max(normalizer, build) AS normalizer, arg_max(dialects, build) AS dialects, max(upto_seq) AS seq
    FROM canonical.builds GROUP BY trace_id
)
SELECT b.trace_id FROM newest b
WHERE $all::BOOLEAN
   OR b.normalizer IN (FROM everywhere)
   OR EXISTS (FROM changed c WHERE c.normalizer = b.normalizer AND list_contains(b.dialects, c.part))
ORDER BY b.seq, b.trace_id
