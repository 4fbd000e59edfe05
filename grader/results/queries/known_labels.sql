-- Labels of these samples and of these runs, also under former ids of the runs, the oldest row first.
WITH RECURSIVE named AS (
    SELECT unnest($runs::VARCHAR[]) AS run_id
), known AS (
    SELECT run_id, run_id AS known_as FROM named
    UNION
    SELECT k.run_id, a.alias FROM known k JOIN run_aliases a ON a.run_id = k.known_as
)
SELECT l.sample_id, l.output_hash, l.value, l.passed, l.notes, l.check_name, l.labeler, epoch_ns(l.created_at) AS created_ns,
       l.raw, coalesce(k.run_id, l.run_id) AS run_id, l.suite, l.case_name
FROM grading.labels l
LEFT JOIN known k ON k.known_as = l.run_id
WHERE k.run_id IS NOT NULL OR l.sample_id IN (SELECT unnest($samples::VARCHAR[]))
ORDER BY l.recorded_at
