"""Checks in Python: what an author's module imports to write one. `from grader.code import check, Score`.

The modules run in a process of their own (`program.py`), and only where the command line allows it; importing this package
costs next to nothing, and runs nothing.
"""

from grader.code.given import Context, Output, Sample
from grader.code.registry import check
from grader.code.score import Score

__all__ = ["Context", "Output", "Sample", "Score", "check"]
