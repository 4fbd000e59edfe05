"""The store, one DuckDB file, in rooms: `file` opens it, `writing` commits, `trees` rebuilds, `care` keeps the whole.

SQL lies in `schema.sql` (tables), `views.sql` and `queries` (by name); what all rooms know stands beside it.
"""
