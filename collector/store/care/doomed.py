"""Which traces a rewrite of the store takes out, and what falls with them. Pure: over what the store says of its traces.

Traces of one run are kept or taken out together, by the newest evidence of any of them: a run that spans the border is kept
whole, so that no verdict rests on half a run.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


class Held(NamedTuple):
    """A stored trace: when its newest evidence was committed (nanoseconds, and the commit), and about how large it is."""

    trace_id: str
    newest: int
    seq: int
    size: int


@dataclass(frozen=True)
class Doomed:
    """What is to be taken out."""

    traces: frozenset[str] = frozenset()
    logs: frozenset[str] = frozenset()
    """Content hashes of log records without a trace."""
    upto: int = 0
    """Log records without a trace go up to this commit."""
    runs: frozenset[str] = frozenset()
    """Runs that rest on one of the traces: their rows quote it."""
    rebuilt: frozenset[str] = frozenset()
    """The traces, and those that lose their trees with such a run and get new ones."""
    refused: bool = field(default=False)
    """Whether the traces and logs are refused when they are sent again."""

    def __bool__(self) -> bool:
        return bool(self.traces or self.logs or self.upto)


@dataclass(slots=True)
class _Group:
    traces: list[str]
    newest: int
    seq: int
    size: int


def aged(traces: Iterable[Held], members: Iterable[tuple[str, str]], before: int) -> frozenset[str]:
    """The traces of all runs that got no evidence since `before`, in nanoseconds."""
    return frozenset(t for group in _groups(traces, members) if group.newest < before for t in group.traces)


def surplus(traces: Iterable[Held], members: Iterable[tuple[str, str]], share: float) -> tuple[frozenset[str], int]:
    """The oldest runs that hold together at least this share of everything: their traces, and the last commit of them."""
    groups = sorted(_groups(traces, members), key=lambda group: (group.newest, group.traces))
    left = share * sum(group.size for group in groups)
    found: list[str] = []
    upto = 0
    for group in groups:
        if left <= 0:
            break
        left -= group.size
        found += group.traces
        upto = max(upto, group.seq)
    return frozenset(found), upto


def _groups(traces: Iterable[Held], members: Iterable[tuple[str, str]]) -> list[_Group]:
    """Traces that share a run, directly or through others, as one."""
    groups = {held.trace_id: _Group([held.trace_id], held.newest, held.seq, held.size) for held in traces}
    first: dict[str, str] = {}
    for run, trace in members:
        if trace not in groups:
            continue
        other = first.setdefault(run, trace)
        one, two = groups[other], groups[trace]
        if one is two:
            continue
        if len(one.traces) < len(two.traces):
            one, two = two, one
        one.traces += two.traces
        one.newest, one.seq = max(one.newest, two.newest), max(one.seq, two.seq)
        one.size += two.size
        for moved in two.traces:
            groups[moved] = one
    return list({id(group): group for group in groups.values()}.values())
