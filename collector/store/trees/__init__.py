"""From committed evidence to canonical tables: what is newer than its tree is built again."""
