-- Why did this verdict change: the newest verdicts that differ from the one before, with the reason.
SELECT run_id, case_name, previous_outcome, outcome, changed_because, reason,
       graded_at::TIMESTAMP AS graded_at, grading_id, previous_grading
FROM grading.case_results
WHERE suite = $suite
  AND previous_outcome IS NOT NULL
  AND previous_outcome <> outcome
ORDER BY graded_at DESC, case_name, run_id
