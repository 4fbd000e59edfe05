INSERT INTO evidence.batches (batch_id, appended_at) VALUES ($batch_id, make_timestamp_ns($now))
