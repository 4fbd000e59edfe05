-- All tokens that were ever made, in order; times in nanoseconds since 1970.
WITH newest AS (
    SELECT token_id, arg_max({'rate': bytes_per_second, 'held': in_flight_bytes}, set_at) AS limits
    FROM access.limits GROUP BY token_id
)
SELECT
    t.token_id, t.scope, t.name, t.digest,
    epoch_ns(t.created_at) AS created,
    epoch_ns(t.expires_at) AS expires,
    epoch_ns(min(r.revoked_at)) AS revoked,
    n.limits.rate AS bytes_per_second,
    n.limits.held AS in_flight_bytes
FROM access.tokens t
LEFT JOIN access.revocations r ON r.token_id = t.token_id
LEFT JOIN newest n ON n.token_id = t.token_id
GROUP BY ALL ORDER BY created, t.token_id
