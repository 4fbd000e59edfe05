-- The newest earlier verdict of each case of a suite on these runs, also where it was given under a former id of the run.
WITH RECURSIVE named AS (
    SELECT unnest($run_ids::VARCHAR[]) AS run_id
), known AS (
    SELECT run_id, run_id AS known_as FROM named
    UNION
    SELECT k.run_id, a.alias FROM known k JOIN run_aliases a ON a.run_id = k.known_as
)
SELECT k.run_id, c.case_name, c.case_hash, c.tree_digest, c.inputs_hash, c.traces, c.jobs, epoch_ns(c.evidence_at) AS evidence_ns,
       c.outcome, c.grading_id
FROM grading.case_results c
JOIN known k ON k.known_as = c.run_id
WHERE c.suite = $suite
QUALIFY row_number() OVER (PARTITION BY k.run_id, c.case_name ORDER BY c.graded_at DESC, c.grading_id DESC) = 1
