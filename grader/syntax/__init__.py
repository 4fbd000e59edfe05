"""How files of any format are read: YAML and JSON with the line of every value, and all mistakes of a file at once."""
