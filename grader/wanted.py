"""Which calls a check means: a tool's name, the states that count, and what the arguments must be."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from collector.tree import MAY_HAVE_RUN, CallState, ToolCall
from grader.names import Named
from grader.outcome import Truth
from grader.patterns import Fields, Past, show
from grader.scene import Calls, Names, Scene, Scope

State = Literal["attempted", "executed", "succeeded", "failed", "denied"]


_RAN: frozenset[CallState] = frozenset({"answered", "succeeded", "failed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """Call states that count, and those of which the evidence cannot tell whether they do."""

    name: str
    counts: tuple[CallState, ...]
    unknown: tuple[CallState, ...] = ()
    kinds: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """What must be captured in full so that a call not seen is no call: for one that never ran the requests, too."""
    answers: dict[CallState, Truth] = field(init=False, repr=False, compare=False)
    """Whether a call in that state counts; a state that is not among them does not."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", ("tools",) if _RAN.issuperset(self.counts) else ("tools", "requests"))
        object.__setattr__(self, "answers", dict.fromkeys(self.unknown) | dict.fromkeys(self.counts, True))

    def of(self, call: ToolCall) -> Truth:
        """Whether the call counts."""
        answer = self.answers.get(call.state, False)
        if answer is False and call.state == "requested" and MAY_HAVE_RUN in call.flags:
            return False if _RAN.isdisjoint(self.counts) else None
        return answer


STATES: dict[State, States] = {
    "attempted": States(
        name="attempted", counts=("requested", "awaiting_approval", "denied", "answered", "succeeded", "failed")
    ),
    "executed": States(name="executed", counts=("answered", "succeeded", "failed")),
    "succeeded": States(name="succeeded", counts=("succeeded",), unknown=("answered",)),
    "failed": States(name="failed", counts=("failed",), unknown=("answered",)),
    "denied": States(name="denied", counts=("denied",)),
}
"""The native columns of the state table: `answered` has a result whose success was not captured."""

NOT_STOPPED = States(name="not stopped", counts=("requested", "answered", "succeeded", "failed"))
"""For vocabularies in which a call that waits for an approval, or was denied one, did not happen."""

_HOW = {"requests": "; record the models' messages (or, in a native suite, look at `state: executed` alone)"}


def complete(scene: Scene, scope: Scope, *wanted: "Wanted | States") -> bool:
    """Whether a call that would count and is not seen did not happen."""
    for one in wanted:
        for kind in (one if isinstance(one, States) else one.states).kinds:
            if not scene.complete(kind, scope):
                return False
    return True


def lack(scene: Scene, scope: Scope, *wanted: "Wanted | States") -> str:
    """Why that is not known, and what to do where nothing but requests is missing."""
    return lacks(scene, scope, next(k for k in _kinds(wanted) if not scene.complete(k, scope)))


def lacks(scene: Scene, scope: Scope, kind: str) -> str:
    """Why that kind of evidence is not complete, with advice where the check could do without."""
    return scene.lack(kind, scope) + _HOW.get(kind, "")


def _kinds(wanted: Sequence["Wanted | States"]) -> Iterable[str]:
    return (kind for one in wanted for kind in (one if isinstance(one, States) else one.states).kinds)


@dataclass(slots=True)
class Sifted:
    """Positions (in `calls`) of the calls that surely count, and of those that may."""

    calls: Calls
    sure: list[int]
    maybe: list[int]
    named: Sequence[int]

    def spans(self, positions: Sequence[int]) -> list[str]:
        """The spans that tell of these calls."""
        items = self.calls.items
        return [s for p in positions for s in items[p].spans]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The calls that a check is about."""

    tool: str
    names: Names
    states: States
    arguments: Fields | None = None
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        said = self.states.name in STATES and self.states.name != "attempted"  # only what an author may write
        state = f" ({self.states.name})" if said else ""
        fields = "" if self.arguments is None else f" with {self.arguments.tell()}"
        object.__setattr__(self, "text", f"{self.tool}{state}{fields}")

    def mentioned(self) -> Iterable[Named]:
        """The tool."""
        return (Named("tool", self.tool, self.names),)

    def sift(self, scene: Scene, scope: Scope) -> Sifted:
        """Judges every call of that name in the scope."""
        calls = scene.calls(scope)
        named = calls.named(self.tool, self.names)
        if self.arguments is None and not self.states.unknown and len(self.states.counts) == _ALL_STATES:
            return Sifted(calls, list(named), [], named)
        complete = scene.complete("tools", scope)
        sure: list[int] = []
        maybe: list[int] = []
        for position in named:
            answer = self.judge(calls, position, complete)
            if answer is not False:
                (maybe if answer is None else sure).append(position)
        return Sifted(calls, sure, maybe, named)

    def judge(self, calls: Calls, position: int, complete: bool) -> Truth:
        """Whether the call at that position counts."""
        call = calls.items[position]
        counts = self.states.of(call)
        if counts is False or self.arguments is None:
            return counts
        fits = self.fits(calls, position, complete)
        return fits if counts else fits and None  # both must hold, and whether it counts is not known

    def fits(self, calls: Calls, position: int, complete: bool) -> Truth:
        """Whether the arguments of the call at that position are such, whatever became of it."""
        if self.arguments is None:
            return True
        return self._arguments(calls.items[position], Past(calls.items, complete, position))

    def _arguments(self, call: ToolCall, past: Past) -> Truth:
        """Cut or redacted arguments may prove a match of open fields, never a mismatch."""
        wanted = self.arguments
        if wanted is None or call.arguments_capture in ("absent", "malformed"):
            return None if wanted is not None else True
        answer = wanted.match(call.arguments, past)
        if call.arguments_capture == "partial" and (answer is False or wanted.closed):
            return None
        return answer

    def differences(self, calls: Calls, position: int, complete: bool) -> list[tuple[str, str, str]]:
        """Field by field how a call differs: (field, what it was, what was expected)."""
        call = calls.items[position]
        past = Past(calls.items, complete, position)
        found = call.arguments if isinstance(call.arguments, dict) else {}
        wrong = []
        for name, pattern in self.arguments.fields if self.arguments else ():
            if name not in found:
                wrong.append((name, "missing", pattern.tell()))
            elif pattern.match(found[name], past) is not True:
                wrong.append((name, show(found[name]), pattern.tell()))
        if self.arguments and self.arguments.closed:
            names = {n for n, _ in self.arguments.fields}
            wrong += [(str(n), show(v), "absent") for n, v in found.items() if n not in names]
        return wrong

    def tell(self) -> str:
        """For a sentence: "payments.refund (succeeded) with amount 50"."""
        return self.text


_ALL_STATES = len(STATES["attempted"].counts)


def times(number: int) -> str:
    """'never', 'once', 'twice', '3 times'."""
    return _TIMES[number] if number < len(_TIMES) else f"{number} times"


_TIMES = ("never", "once", "twice")


def listing(calls: Sequence[ToolCall], limit: int = 8) -> str:
    """What was called instead: "the agent called: orders.lookup (2 times), policy"."""
    counted: dict[str, int] = {}
    for call in calls:
        counted[call.name] = counted.get(call.name, 0) + 1
    if not counted:
        return "the agent called no tool"
    shown = [n if c == 1 else f"{n} ({times(c)})" for n, c in list(counted.items())[:limit]]
    more = f" and {len(counted) - limit} more" if len(counted) > limit else ""
    return f"the agent called: {', '.join(shown)}{more}"
