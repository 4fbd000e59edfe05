"""Cells whose gate stands open: what is still refused then, the process itself refuses."""

from collector.answer.root import PROGRAM, Root

_OPEN = (
    "from collector.answer import free, gate; "
    "free.check = lambda text, relations=(): None; gate.check = free.check; "
    "from collector.answer.cell import main"
)


def unguarded() -> Root:
    """A root whose processes let every statement pass."""
    return Root(PROGRAM.replace("from collector.answer.cell import main", _OPEN))
