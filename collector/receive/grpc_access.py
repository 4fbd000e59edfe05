"""The OTLP/gRPC door: who may call, by the token in the metadata, and how much (G-09, X-06)."""

from collector.access.guard import Guard
from collector.access.quota import SOON
from collector.receive import reply
from collector.receive.access import over_quota, refusal
from collector.receive.admission import ByteBudget, PortionedBudget
from collector.receive.reply import Answer
from collector.web.server import Budget, Head

_BUSY = "the collector is busy; send again later"


class GrpcDoor:
    """Stands before the services. Without a guard anybody may call; `budget` is the memory of all calls."""

    def __init__(self, guard: Guard | None, budget: ByteBudget) -> None:
        self._guard, self._budget = guard, budget

    def admit(self, head: Head) -> Answer | Budget:
        """Asked before the message is read: what keeps this call out, or what its bytes are taken from."""
        if self._guard is None:
            return self._budget
        authorization = head.headers.get("authorization", "")  # shown twice it is joined, and no token (G-09)
        verdict = self._guard.judge(authorization, head.peer)
        if verdict is not None:
            return refusal(verdict)
        portion = self._guard.portion(authorization)
        if portion is None:
            return self._budget
        seconds = portion.wait()
        return over_quota(seconds) if seconds else PortionedBudget(self._budget, portion)

    def objection(self, budget: Budget | None, size: int) -> Answer | None:
        """Asked when the message's length is known: whether its bearer, or everybody, must wait."""
        if isinstance(budget, PortionedBudget) and (seconds := budget.wait(size)):
            return over_quota(seconds)
        return None if self._budget.fits(size) else reply.retry(reply.BUSY, _BUSY)

    def no_room(self, budget: Budget | None) -> Answer:
        """There was no room for bytes that came: the bearer's own, or that of all."""
        if isinstance(budget, PortionedBudget) and self._budget.fits(1):
            return over_quota(SOON)
        return reply.retry(reply.BUSY, _BUSY)
