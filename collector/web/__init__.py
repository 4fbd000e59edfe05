"""Small servers with limits: HTTP/1.1 here, HTTP/2 in `http2`. They know nothing of OTLP or of the store."""
