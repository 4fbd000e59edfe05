-- The content hash of every stored log record, 16 bytes each: fills the filter at open.
SELECT unhex(content_hash) AS identity FROM evidence.logs
