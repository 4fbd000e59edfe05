"""From decoded requests to committed rows: one writer, which groups, judges and commits."""
