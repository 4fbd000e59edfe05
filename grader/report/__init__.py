"""Reports: each format renders the same gradings."""
