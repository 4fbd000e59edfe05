"""`approvals_script`: who would have answered each approval how, replayed over the decisions that were recorded.

The script drove a live run. After the fact each recorded approval, in the order of the requests, takes the first entry
that matches it, and its decision must be the entry's.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Literal

from collector import tree
from grader.approvals import ABOUT_NO_TOOL, waited
from grader.expressions.dsl import UNKNOWN, Expression
from grader.met import context_of, met
from grader.names import Named
from grader.outcome import Finding, Truth, every
from grader.patterns import equal, show
from grader.scene import Scene, Scope

Names = Literal["exact", "glob"]
"""How an entry names what is asked: the whole name, or a pattern in which `*` and `?` stand for any text and any character."""

_RAN = ("answered", "succeeded", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One entry: which approvals it answers, and how. None asks for nothing.

    `where` is a condition on `params` (the arguments shown) and `context`. `edit` are the arguments that an `edit` changes;
    the others stay as they were shown.
    """

    decision: tree.Decision
    tool: str | None = None
    names: Names = "exact"
    kind: str | None = None
    where: Expression | None = None
    edit: Any = None

    def tell(self) -> str:
        """For a sentence: "approve billing.refund where params.amount < 50"."""
        where = f" where {self.where.source}" if self.where else ""
        return f"{self.decision} {self.tool or f'any {self.kind}'}{where}"

    def mentioned(self) -> Iterable[Named]:
        """The tool, where the entry says which."""
        return (Named("tool", self.tool, "qualified"),) if self.tool and self.names == "exact" else ()


@dataclass(slots=True)
class _Asked:
    """A recorded approval with all that is known of what it is about."""

    approval: tree.Approval
    call: tree.ToolCall | None
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        known = [self.approval.tool, *((self.call.name, self.call.qualified) if self.call else ())]
        self.names = frozenset(n for n in known if n)

    @property
    def told(self) -> str:
        """Its name, for a sentence."""
        return self.approval.tool or (self.call.name if self.call else f"an approval ({self.approval.kind})")

    @property
    def shown(self) -> Any:
        """The arguments that the decider saw."""
        one, call = self.approval, self.call
        if one.requested_arguments is not None:
            return one.requested_arguments
        if call is not None and call.requested_capture == "present":
            return {} if call.requested_arguments is None else call.requested_arguments
        if one.decision == "edit":
            return UNKNOWN
        if one.final_arguments is not None:
            return one.final_arguments
        if call is not None and call.arguments_capture == "present":
            return {} if call.arguments is None else call.arguments
        return UNKNOWN

    @property
    def final(self) -> Any:
        """The arguments that were decided on, or with which the call then ran."""
        call = self.call
        if self.approval.final_arguments is not None:
            return self.approval.final_arguments
        if call is not None and call.state in _RAN and call.arguments_capture == "present":
            return {} if call.arguments is None else call.arguments
        return UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalsScript:
    """Each recorded approval is answered by its first matching entry.

    `use`: an entry answers once, or as often as it matches. `unmatched` approvals may wait (`await`: whether that is how the
    run should have ended is for another check to say), or fail the check; `deny` is `fail` by a runner that refuses them at
    once. `unused`: an entry that answered nothing is ignored, or fails the check. `granted`: approvals that a policy gave by
    itself need an entry too, or are not asked about, since nobody waited for them.
    """

    entries: tuple[Answer, ...]
    use: Literal["once", "reuse"]
    unmatched: Literal["await", "fail", "deny"]
    unused: Literal["ignore", "fail"]
    scope: Scope
    granted: Literal["count", "ignore"] = "count"

    def decide(self, scene: Scene) -> Finding:
        """One approval that was decided otherwise refutes it; only complete capture of approvals proves it."""
        asked = [a for a in _asked(scene, self.scope) if self.granted == "count" or waited(a.approval)]
        spans = [s for a in asked for s in a.approval.spans]
        used: set[int] = set()
        answers: list[tuple[Truth, str]] = []
        for one in asked:
            truth, number, said = self._answer(one, scene, used)
            answers.append((truth, said))
            if number is not None:
                used.add(number)
            elif truth is None and self.use == "once":
                break  # which entry it took is not known, so neither is which are left
        sure = not any(truth is None for truth, _ in answers)
        complete = scene.complete("approvals", self.scope)
        if self.unused == "fail" and sure:
            left = [entry.tell() for number, entry in enumerate(self.entries) if number not in used]
            truth = False if complete else None
            answers += [(truth, f"no approval took the entry “{entry}”") for entry in left]
        if not complete:
            answers.append((None, scene.lack("approvals", self.scope)))
        return self._whole(answers, spans)

    def _whole(self, answers: Sequence[tuple[Truth, str]], spans: Sequence[str]) -> Finding:
        truth = every(t for t, _ in answers)
        telling = [said for t, said in answers if t is truth]
        return Finding(truth, "; ".join(telling) or "no approval was asked for", spans)

    def _answer(self, one: _Asked, scene: Scene, used: set[int]) -> tuple[Truth, int | None, str]:
        """Whether it was decided as the first matching entry says, and which entry that is."""
        for number, entry in enumerate(self.entries):
            if self.use == "once" and number in used:  # S3-40
                continue
            matches = _matches(entry, one, scene)
            if matches:
                truth, said = _decided(entry, one)
                return truth, number, said
            if matches is None:
                return (
                    None,
                    None,
                    f"whether “{entry.tell()}” answers {one.told} is not known: its name or arguments were not captured",
                )
        return self._unanswered(one)

    def _unanswered(self, one: _Asked) -> tuple[Truth, None, str]:
        if self.unmatched == "await":  # S3-43
            return True, None, f"no entry answers {one.told}, so it waits"
        recorded = one.approval.decision
        denied = " and a runner would deny it at once" if self.unmatched == "deny" else ""
        return (
            False,
            None,
            f"no entry answers {one.told} (recorded: {recorded}){denied}; add one, or find why it was asked",
        )


def _asked(scene: Scene, scope: Scope) -> Iterator[_Asked]:
    """In the order of the requests; a job's own order stands."""
    found = []
    for place, job in enumerate(scene.jobs(scope)):
        calls = {call.call_id: call for call in job.tool_calls if call.call_id}
        latest = job.started or 0
        for number, approval in enumerate(job.approvals):
            latest = max(latest, approval.requested_at or approval.decided_at or 0)
            found.append((latest, place, number, _Asked(approval, calls.get(approval.call_id or ""))))
    for *_, one in sorted(found, key=lambda f: f[:3]):
        yield one


def _matches(entry: Answer, one: _Asked, scene: Scene) -> Truth:
    return every(_conditions(entry, one, scene))


def _conditions(entry: Answer, one: _Asked, scene: Scene) -> Iterator[Truth]:
    if entry.tool is not None:
        yield _named(entry, one) if one.names or one.approval.kind in ABOUT_NO_TOOL else None
    if entry.kind is not None:
        yield entry.kind == one.approval.kind
    if entry.where is not None:
        yield met(entry.where, {"params": one.shown, "context": context_of(scene)})


def _named(entry: Answer, one: _Asked) -> bool:
    tool = entry.tool or ""
    if entry.names == "exact":
        return tool in one.names
    pattern = tool.replace("[", "[[]")  # only * and ? are special
    return any(fnmatchcase(name, pattern) for name in one.names)


def _decided(entry: Answer, one: _Asked) -> tuple[Truth, str]:
    """The recorded decision against the entry's; of an edit, the arguments as well."""
    recorded = one.approval.decision
    if recorded != entry.decision:
        how = "is still open" if recorded == "pending" else f"was decided otherwise ({recorded})"
        return False, f"{one.told} {how}; the case answers “{entry.tell()}”"
    if entry.decision != "edit":
        return True, f"{one.told} was decided as the case says ({recorded})"
    return _edited(entry, one)


def _edited(entry: Answer, one: _Asked) -> tuple[Truth, str]:
    final, shown = one.final, one.shown
    if final is UNKNOWN:
        return None, f"{one.told} was edited, and to what was not captured"
    edit = entry.edit if isinstance(entry.edit, dict) else {}
    held = final if isinstance(final, dict) else {}
    wrong = [k for k, v in edit.items() if k not in held or not equal(held[k], v)]
    if isinstance(shown, dict):
        expected = {**shown, **edit}
        wrong += [
            k
            for k in sorted({*expected, *held} - {*edit})
            if k not in held or k not in expected or not equal(held[k], expected[k])
        ]
    if wrong:
        found = ", ".join(f"{k} {show(held[k]) if k in held else 'missing'}" for k in wrong)
        return False, f"{one.told} was edited to {found}; the case edits {show(edit)} and leaves the rest as it was"
    if shown is UNKNOWN and {*held} - {*edit}:
        return None, f"{one.told} was edited as the case says, and what it was before was not captured"
    return True, f"{one.told} was edited as the case says"


FORMS = ()
