-- Tokens, hashed: no secret is ever stored. Append-only as all tables: a revocation is a row of its own.
-- There are no views in `main`, so that free SQL does not reach them.

CREATE TABLE IF NOT EXISTS access.tokens (
    token_id   VARCHAR,
    scope      VARCHAR,       -- ingest, read
    name       VARCHAR,
    digest     VARCHAR,       -- SHA-256 of the secret, 64 hex digits
    created_at TIMESTAMP_NS,
    expires_at TIMESTAMP_NS   -- null: never
);

CREATE TABLE IF NOT EXISTS access.revocations (
    token_id   VARCHAR,
    revoked_at TIMESTAMP_NS
);

-- How much a token may send (X-06); the newest row of a token counts.
CREATE TABLE IF NOT EXISTS access.limits (
    token_id         VARCHAR,
    bytes_per_second UBIGINT,    -- null: what the setting says; 0: no limit
    in_flight_bytes  UBIGINT,    -- likewise
    set_at           TIMESTAMP_NS
);
