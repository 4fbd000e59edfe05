"""The expression languages of suites, and the regular expressions of checks. They know values, never traces or formats."""
