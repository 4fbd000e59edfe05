"""How values look to people (terminal) and to machines (JSON, CSV): pure but for the console they are given."""
