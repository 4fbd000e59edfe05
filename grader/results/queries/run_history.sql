-- Every verdict on a run, oldest first, also those given under an id that a later join absorbed.
WITH RECURSIVE known AS (
    SELECT $run_id::VARCHAR AS known_as
    UNION
    SELECT a.alias FROM known k JOIN run_aliases a ON a.run_id = k.known_as
)
SELECT $run_id::VARCHAR AS run_id, c.run_id AS judged_as, c.suite, c.case_name, c.outcome, c.changed_because, c.reason,
       c.graded_at::TIMESTAMP AS graded_at, c.grading_id
FROM grading.case_results c
JOIN known k ON k.known_as = c.run_id
ORDER BY c.graded_at, c.grading_id, c.case_name
