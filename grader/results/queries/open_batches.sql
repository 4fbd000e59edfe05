-- Batches of questions that were sent and not fetched, the oldest first.
SELECT b.batch_id, b.verdict_keys
FROM grading.judge_batches b
WHERE b.state = 'sent'
  AND b.batch_id NOT IN (SELECT f.batch_id FROM grading.judge_batches f WHERE f.state = 'fetched')
ORDER BY b.noted_at
