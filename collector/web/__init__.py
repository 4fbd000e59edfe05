"""A small HTTP/1.1 server with limits. It knows nothing of OTLP or of the store."""
