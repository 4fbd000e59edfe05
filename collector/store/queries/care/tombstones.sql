-- What was deleted and is refused when it comes again: ids of traces, and content hashes of log records.
SELECT key FROM evidence.tombstones
