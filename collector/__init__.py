"""tracegrade's collector: receives OTLP, stores it in DuckDB, rebuilds what agents did."""

__version__ = "0.1.0.dev0"
