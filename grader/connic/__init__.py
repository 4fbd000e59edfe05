"""Connic test files: what their assertions compile to (rules S3 of the reference of checks)."""
