-- Every label, the oldest row first.
SELECT l.sample_id, l.output_hash, l.value, l.passed, l.notes, l.check_name, l.labeler, epoch_ns(l.created_at) AS created_ns,
       l.raw, l.run_id, l.suite, l.case_name
FROM grading.labels l
ORDER BY l.recorded_at
