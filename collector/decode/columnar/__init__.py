"""Spans of many requests at once, column by column: what `from_protobuf` does, without a Python object for each value.

Data flows: `lean` (wire → Arrow) → `plain` (which rows can be read by column) → `objects` (attributes → JSON texts),
`promote` and `identity` → `reader`, which puts the table together. Rows that need care are read one by one by
`from_protobuf`, whose result is what counts: a test compares the two.
"""
