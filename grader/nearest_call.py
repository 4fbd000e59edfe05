"""Which call came closest to one that a check looked for in vain, and what kept it from counting: for sentences."""

from collections.abc import Sequence

from grader.scene import Calls
from grader.wanted import Wanted


def nearest_call(wanted: Wanted, calls: Calls, positions: Sequence[int], *, complete: bool) -> tuple[int, str]:
    """The position of the closest of these calls, and how it differs: "with amount 60; expected 50"."""
    best = min(
        positions,
        key=lambda p: (wanted.states.of(calls.items[p]) is False, len(wanted.differences(calls, p, complete))),
    )
    return best, _difference(wanted, calls, best, complete)


def _difference(wanted: Wanted, calls: Calls, position: int, complete: bool) -> str:
    call = calls.items[position]
    if wanted.states.of(call) is not True:
        return f"in state {call.state}; expected {wanted.states.name}"
    wrong = wanted.differences(calls, position, complete)
    if not wrong:
        return f"with other arguments; expected {wanted.tell()}"
    found = ", ".join(f"{name} {value}" for name, value, _ in wrong)
    expected = wrong[0][2] if len(wrong) == 1 else ", ".join(f"{name} {value}" for name, _, value in wrong)
    return f"with {found}; expected {expected}"
