-- Whose words stood in these questions.
SELECT DISTINCT j.verdict_key, j.run_id FROM grading.judged_runs j
WHERE j.verdict_key IN (SELECT unnest($keys::VARCHAR[]))
