"""OTLP on the wire and in files.

A request's way: `http` or `grpc` → `admission` → `encoding` → `export` (decode, store, wait for the commit) → `reply`.
`files` reads the same messages from disk.
"""
