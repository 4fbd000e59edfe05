INSERT INTO evidence.tombstones (kind, key, deleted_at)
SELECT $kind::VARCHAR, unnest($keys::VARCHAR[]), now()::TIMESTAMP
