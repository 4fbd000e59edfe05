-- Whether this batch was appended before.
SELECT 1 FROM evidence.batches WHERE batch_id = $batch_id LIMIT 1
