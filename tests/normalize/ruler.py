"""Our ruler: what the trees of a capture get right, leave out, or get wrong, fact by fact.

A fact left out is forgiven where the capture's truth says that the trace does not hold it (`unseen`) or shows something
else in its place (`seen`). A fact that is there and differs is wrong, and nothing forgives it.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from collector.tree import Job, Run, ToolCall

Verdict = Literal["right", "absent", "wrong"]

RAN = ("answered", "succeeded", "failed")
NEVER_RAN = ("requested", "awaiting_approval", "denied")


class Finding(NamedTuple):
    """One fact, measured."""

    fact: str
    verdict: Verdict
    wanted: Any
    got: Any
    job: Job | None = None  # the job that the fact is about, where it is about one


class Sight(NamedTuple):
    """A tool call with the job that made it."""

    call: ToolCall
    job: Job


def measure(truth: dict[str, Any], scenario: str, runs: Sequence[Run]) -> Iterator[Finding]:
    """Every fact of a capture's truth against the trees."""
    if not runs:
        yield Finding("runs", "wrong", "one at least", 0)
        return
    seen = sights(runs)
    yield from _turns(truth["turns"], runs) if "turns" in truth else _words(truth, runs)
    ends = [run.root.status for run in runs if run.root.status != "unknown"]
    yield _compared(truth, "status", truth["status"], "failed" if "failed" in ends else ends[-1] if ends else None)
    yield from _calls(truth, scenario, runs, seen)
    yield from _children(truth, runs)
    yield from _approvals(truth, runs)


def _words(truth: dict[str, Any], runs: Sequence[Run]) -> Iterator[Finding]:
    asked, reply = truth["user_input"], truth["reply"]
    roots = [run.root for run in runs]

    def is_asked(given: Any) -> bool:
        return given is not None and asked is not None and (alike(asked, given) or asked in written(given))

    if asked is not None:
        given = [root.input for root in roots if root.input is not None]
        best = next(filter(is_asked, given), given[0] if given else None)
        yield _compared(truth, "input", asked, best, lambda _, got: is_asked(got))
    spoken = [root for root in roots if root.reply is not None]
    if reply is not None:
        own = [root.reply for root in spoken if is_asked(root.input) and alike(reply, root.reply)]
        yield _compared(truth, "reply", reply, own[0] if own else spoken[-1].reply if spoken else None)
    elif truth["status"] == "failed":  # there was none; some frameworks say the error's text instead
        odd = [root.reply for root in spoken if root.reply and written(root.reply) not in (truth.get("error") or "")]
        yield Finding("no reply", "wrong" if odd else "right", None, odd)


def _turns(turns: list[dict[str, Any]], runs: Sequence[Run]) -> Iterator[Finding]:
    """Each turn of a conversation: asked and answered by some job; what no turn holds is wrong for all of them."""
    asked = [job.input for job in _jobs(runs) if job.input is not None]
    said = [job.reply for job in _jobs(runs) if job.reply is not None]
    strange = [words for words in asked if not any(turn["user"] in written(words) for turn in turns)]
    ends = [run.root.reply for run in runs if run.root.reply is not None]
    others = [words for words in ends if not any(alike(turn["reply"], words) for turn in turns)]
    for number, turn in enumerate(turns):
        for fact, want, found, odd in (
            ("input", turn["user"], any(turn["user"] in written(words) for words in asked), strange),
            ("reply", turn["reply"], any(alike(turn["reply"], words) for words in said), others),
        ):
            verdict: Verdict = "right" if found else "wrong" if odd else "absent"
            yield Finding(f"turn {number} {fact}", verdict, want, odd or None)


def _calls(truth: dict[str, Any], scenario: str, runs: Sequence[Run], sights: list[Sight]) -> Iterator[Finding]:
    wanted = truth["tool_calls"]
    expected = {name for want in wanted for name in _names(want)}
    ran = [s for s in sights if s.call.state not in NEVER_RAN or s.call.name in expected]
    taken: list[int] = []
    for number, want in enumerate(wanted):
        label = f"call {number} {want['name']}"
        chosen = _choose(want, ran, taken)
        if chosen is None:
            promised = any(job.capture["tools"].state in ("present", "malformed") for job in _jobs(runs))
            yield Finding(label, "wrong" if promised else "absent", want["name"], [s.call.name for s in sights])
            continue
        taken.append(chosen)
        yield from (found._replace(job=ran[chosen].job) for found in _call(truth, label, want, ran[chosen]))
    yield _nothing_more(truth, ran, taken)
    starts = [ran[i].call.started for i in taken]
    known = [start for start in starts if start is not None]
    places: list[int] = known if len(known) == len(starts) else taken
    if scenario != "parallel":
        in_order = places == sorted(places)
        yield Finding("order", "right" if in_order else "wrong", [want["name"] for want in wanted], places)


def _choose(want: dict[str, Any], ran: list[Sight], taken: list[int]) -> int | None:
    """The first sight of the wanted name that is not taken; one that ran, with the wanted arguments, comes first."""

    def rank(place: int) -> tuple[bool, bool, bool, int]:
        call = ran[place].call
        fails = (call.state == "failed") != ("error" in want)
        return (call.state not in RAN, not alike(want["arguments"], call.arguments), fails, place)

    fitting = [i for i in range(len(ran)) if i not in taken and _named(want, ran[i].call.name)]
    return min(fitting, key=rank, default=None)


def _call(truth: dict[str, Any], label: str, want: dict[str, Any], sight: Sight) -> Iterator[Finding]:
    call, job = sight
    yield Finding(label, "right" if call.name in _names(want) else "wrong", want["name"], call.name)
    yield _compared(truth, f"{label} arguments", want["arguments"], _held(call.arguments, call.arguments_capture))
    result = want.get("result")
    if result is not None:
        yield _compared(truth, f"{label} result", result, _held(call.result, call.result_capture), holds)
        told_error = isinstance(result, dict) and result.get("status") == "error"
        if not told_error and "child_error" not in truth:
            yield Finding(f"{label} succeeded", _state(call, ("succeeded", "answered")), "succeeded", call.state)
    if "error" in want:
        yield Finding(f"{label} failed", _state(call, ("failed",)), "failed", call.state)
    if want.get("agent"):
        yield _compared(truth, f"{label} agent", want["agent"], job.agent, lambda a, b: letters(a) == letters(b))


def _state(call: ToolCall, good: tuple[str, ...]) -> Verdict:
    return "right" if call.state in good else "absent" if call.state in ("requested", "answered") else "wrong"


def _nothing_more(truth: dict[str, Any], ran: list[Sight], taken: list[int]) -> Finding:
    """Calls that ran and that nobody made. A refused request may leave one failed or answered sight each."""
    own = {truth.get("handoff_tool"), *(truth.get("builtin_calls") or ())}
    refused = Counter(call["name"] for call in truth.get("rejected_calls") or ())
    refused.update(a["name"] for a in truth.get("approvals") or () if a["decision"] == "denied")
    more = []
    for place, (call, _) in enumerate(ran):
        if place in taken or call.name in own or call.state not in RAN:
            continue
        if call.state != "succeeded" and refused[call.name] > 0:
            refused[call.name] -= 1
            continue
        more.append(call.name)
    return Finding("nothing more", "wrong" if more else "right", [], more)


def _children(truth: dict[str, Any], runs: Sequence[Run]) -> Iterator[Finding]:
    below = [job.agent for run in runs for job in list(run.root.walk())[1:]]
    every = {letters(job.agent) for job in _jobs(runs)}
    real = {letters(name) for name in (*truth["child_agents"], *(c.get("agent") for c in truth["tool_calls"]))}
    real |= {letters(truth.get("last_agent"))} | {letters(run.root.agent) for run in runs}
    strangers = [name for name in below if name and letters(name) not in real]
    strangers += [""] * max(0, below.count(None) - len(truth["child_agents"]))
    yield Finding("no strangers", "wrong" if strangers else "right", [], strangers)
    for child in truth["child_agents"]:
        found = letters(child) in set(map(letters, below))
        verdict: Verdict = "right" if found else "wrong" if letters(child) in every else "absent"
        yield Finding(f"child {child}", verdict, child, below)


def _approvals(truth: dict[str, Any], runs: Sequence[Run]) -> Iterator[Finding]:
    folded = {"approve": "approved", "edit": "approved", "reject": "denied", "timeout": "denied"}
    for want in truth.get("approvals") or ():
        told = [folded.get(a.decision) for job in _jobs(runs) for a in job.approvals if _named(want, a.tool)]
        told = [decision for decision in told if decision]
        verdict: Verdict = "right" if want["decision"] in told else "wrong" if told else "absent"
        yield Finding(f"approval of {want['name']}", verdict, want["decision"], told)


def _compared(
    truth: dict[str, Any], fact: str, want: Any, got: Any, equal: Callable[[Any, Any], bool] | None = None
) -> Finding:
    if got is None:
        return Finding(fact, "absent", want, None)
    if (equal or alike)(want, got):
        return Finding(fact, "right", want, got)
    in_its_place = (truth.get("seen") or {}).get(fact, ())
    return Finding(fact, "absent" if any(alike(s, got) for s in in_its_place) else "wrong", want, got)


def sights(runs: Sequence[Run]) -> list[Sight]:
    """All calls; one that paused in a run and went on in another has one id, and counts as its last that ran."""
    out: list[Sight] = []
    first: dict[str, tuple[int, Run]] = {}
    for run in runs:
        for job in run.root.walk():
            for call in job.tool_calls:
                place, other = first.get(call.call_id or "", (0, run))
                if other is not run:
                    if call.state in RAN:
                        out[place] = Sight(call, job)
                    continue
                if call.call_id:
                    first[call.call_id] = (len(out), run)
                out.append(Sight(call, job))
    return out


def _jobs(runs: Sequence[Run]) -> list[Job]:
    return [job for run in runs for job in run.root.walk()]


def _held(value: Any, capture: str) -> Any:
    return value if capture == "present" else None


def _names(want: dict[str, Any]) -> tuple[str, ...]:
    return (want["name"], *want.get("also_named", ()))


def _named(want: dict[str, Any], name: str | None) -> bool:
    one, other = letters(want["name"]), letters(name)
    return name in _names(want) or (bool(other) and (one.endswith(other) or other.endswith(one)))


def letters(name: str | None) -> str:
    """A name without what frameworks rewrite freely."""
    return re.sub(r"[^a-z0-9]", "", (name or "").lower())


def written(value: Any) -> str:
    """A value as text."""
    return value if isinstance(value, str) else json.dumps(value)


def alike(one: Any, other: Any) -> bool:
    """Equal by value: 50 is 50.0, JSON text is what it encodes, space around text says nothing."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    match one, other:
        case (int() | float(), int() | float()):
            return abs(one - other) < 1e-9
        case dict(), dict():
            return one.keys() == other.keys() and all(alike(value, other[key]) for key, value in one.items())
        case list(), list():
            return len(one) == len(other) and all(map(alike, one, other))
        case str(), str():
            return one.strip() == other.strip() or _decoded_alike(one, other)
        case (str(), _) | (_, str()):
            return _decoded_alike(one, other)
    return one == other


def _decoded_alike(one: Any, other: Any) -> bool:
    try:
        return alike(*(json.loads(side) if isinstance(side, str) else side for side in (one, other)))
    except (ValueError, RecursionError):
        return False


def holds(want: Any, got: Any) -> bool:
    """The value, or one of the wrappers that frameworks put around it, but no dump of everything."""
    if alike(want, got) or (isinstance(want, str) and isinstance(got, str) and want in got):
        return True
    if len(written(got)) > 4 * len(written(want)) + 800:
        return False
    if isinstance(got, str) and got.startswith(("[", "{")):
        try:
            got = json.loads(got)
        except (ValueError, RecursionError):
            return False
    inner = got.values() if isinstance(got, dict) else got if isinstance(got, list) else ()
    return any(holds(want, part) for part in inner)
