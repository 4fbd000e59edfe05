-- All tokens that were ever made, in order; times in nanoseconds since 1970.
SELECT
    t.token_id, t.scope, t.name, t.digest,
    epoch_ns(t.created_at) AS created,
    epoch_ns(t.expires_at) AS expires,
    epoch_ns(min(r.revoked_at)) AS revoked
FROM access.tokens t LEFT JOIN access.revocations r ON r.token_id = t.token_id
GROUP BY ALL ORDER BY created, t.token_id
