-- What judges answered before, the latest of each: one row a key.
SELECT
    v.verdict_key,
    arg_max(v.verdict, v.judged_at) AS verdict,
    arg_max(v.input_tokens, v.judged_at) AS input_tokens,
    arg_max(v.output_tokens, v.judged_at) AS output_tokens
FROM grading.judge_verdicts v
JOIN (SELECT DISTINCT unnest($keys::VARCHAR[]) AS verdict_key) k USING (verdict_key)
GROUP BY v.verdict_key
