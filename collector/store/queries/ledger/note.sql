INSERT INTO evidence.about (key, value)
SELECT 'created_at', strftime(now()::TIMESTAMP, '%Y-%m-%dT%H:%M:%SZ') WHERE NOT EXISTS (FROM evidence.about)
UNION ALL
SELECT unnest($keys::VARCHAR[]), unnest($values::VARCHAR[])
