"""A run as the store holds it: what goes to the process that judges it."""

from typing import NamedTuple

from collector import tree_text
from grader.sample import Candidate


class StoredRun(NamedTuple):
    """A run with its tree still as text. `arrived`: when its newest evidence came, nanoseconds since the epoch."""

    run_id: str
    tree: str
    digest: str
    arrived: int | None

    def candidate(self) -> Candidate:
        """With its tree."""
        return Candidate(tree_text.from_json(self.tree), self.digest, self.arrived)
