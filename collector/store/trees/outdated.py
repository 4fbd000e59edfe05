"""Which traces have a tree that another version of the normalizer built, in memory while the store is open."""

from collections.abc import Callable, Iterable
from itertools import islice


class Outdated:
    """Traces to be built again, those with the oldest evidence first. They are looked up (`find`) when first asked for."""

    def __init__(self, find: Callable[[], Iterable[str]]) -> None:
        self._find = find
        self._traces: dict[str, None] | None = None

    def first(self, number: int) -> list[str]:
        """The next traces."""
        return list(islice(self._found(), number))

    def among(self, traces: Iterable[str]) -> list[str]:
        """Those of the given traces, in their order."""
        return [trace for trace in traces if trace in self._found()]

    def done(self, traces: Iterable[str]) -> None:
        """These were built, or cannot be."""
        if self._traces is not None:  # else the look-up, when it comes, finds them built
            for trace in traces:
                self._traces.pop(trace, None)

    def _found(self) -> dict[str, None]:
        if self._traces is None:
            self._traces = dict.fromkeys(self._find())
        return self._traces
