"""Why the writer takes nothing now: one place that refuses, and that says so to whoever asks whether it is ready."""

from enum import Enum
from typing import Literal

from collector.store.errors import NoSpace, StoreError, Unavailable
from collector.store.file.space import Space

Trouble = Literal["stopping", "reopening", "disk_low", "queue_full"]


class Matter(Enum):
    """What can keep the door shut, the weightiest first."""

    STOPPING = "The store is shutting down."
    BROKEN = "The store is being reopened."
    EXCHANGE = "The store's file is being rewritten."


class Door:
    """Shut for reasons that come and go. Not locked: it belongs under the writer's lock, but for `why`."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._shut: dict[Matter, str] = {}

    def shut(self, matter: Matter, why: str = "") -> None:
        """Refuse from now on; `why` adds to the reason."""
        self._shut[matter] = f"{matter.value} {why}".strip()

    def open(self, matter: Matter) -> None:
        """This reason is gone."""
        self._shut.pop(matter, None)

    def is_shut(self, matter: Matter) -> bool:
        """Whether this is one of the reasons."""
        return matter in self._shut

    def refusal(self) -> StoreError | None:
        """The error for what comes now: all of them ask to send again. None: come in."""
        for matter in Matter:
            if matter in self._shut:
                return Unavailable(matter.value)
        if wanting := self._space.wanting:
            return NoSpace(wanting)
        return None

    def trouble(self) -> Trouble | None:
        """The same in the fixed words of a readiness probe."""
        for matter in Matter:
            if matter in self._shut:
                return "stopping" if matter is Matter.STOPPING else "reopening"
        return "disk_low" if self._space.wanting else None

    def why(self) -> str | None:
        """Why nothing is taken, for an operator (it may name files); None: all is well."""
        for matter in Matter:
            if matter in self._shut:
                return self._shut[matter]
        return str(NoSpace(wanting)) if (wanting := self._space.wanting) else None
