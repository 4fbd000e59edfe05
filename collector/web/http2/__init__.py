"""A small HTTP/2 server with limits (RFC 9113). It knows nothing of gRPC, of OTLP or of the store."""
