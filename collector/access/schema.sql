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

-- Who did what with the store (X-34): never what was in it. Rows are kept for 400 days, also when traces are pruned or deleted.
CREATE TABLE IF NOT EXISTS access.audit (
    "at"        TIMESTAMP_NS, -- when it was done
    who         VARCHAR,      -- a token's id; file: and the first 8 hex digits of the SHA-256 of one that stands in a file; local: the store's owner; retention: the settings keep and keep_bytes
    what        VARCHAR,      -- sql, export, load, prune, delete, token created, token limited, token revoked, label
    outcome     VARCHAR,      -- done, refused, failed
    row_count   UBIGINT,      -- of the answer, the export, the labels; spans and log records that went
    trace_count UBIGINT,      -- traces that went
    about       VARCHAR,      -- the token's id, the deleted trace's id, the SHA-256 of the statement
    size        UBIGINT       -- of the statement, in bytes
);
