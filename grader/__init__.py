"""tracegrade's grader: judges stored runs against case files."""
