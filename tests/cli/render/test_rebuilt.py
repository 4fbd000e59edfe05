"""How rebuilding is told."""

import io
import json

from collector.cli.differences import NOTHING, Difference
from collector.cli.rebuilding import Change, Outcome
from collector.cli.render.rebuilt import Page


def page(*outcomes: Outcome, diff: bool = True, as_json: bool = False) -> str:
    """What is written about these outcomes."""
    out = io.StringIO()
    told = Page(out, diff=diff, as_json=as_json)
    for outcome in outcomes:
        told.add(outcome)
    told.end()
    return out.getvalue()


CHANGED = Change(
    "r1", "changed", [Difference("root.reply", NOTHING, "x" * 99), Difference("root.\x1b[31m", None, {"a": 1})]
)


def test_facts_are_short_and_safe_for_a_terminal() -> None:
    """A long value is cut, control characters of a trace are shown and not obeyed, and a lacking fact is said to be so."""
    shown = page(Outcome(1, 0, [CHANGED]))
    assert f"  root.reply: (nothing) → {'x' * 59}…\n" in shown
    assert '  root.\\x1b[31m: null → {"a": 1}\n' in shown


def test_many_facts_of_one_run_are_counted() -> None:
    """After twenty facts the number of the others follows."""
    facts = [Difference(f"f{n}", 1, 2) for n in range(25)]
    shown = page(Outcome(1, 0, [Change("r1", "changed", facts)])).splitlines()
    assert len(shown) == 1 + 20 + 1 + 1
    assert shown[21] == "  … and 5 more"


def test_outcomes_are_added_up() -> None:
    """The last line sums up all outcomes, in the words of what was done."""
    parts = Outcome(2, 1, [CHANGED]), Outcome(3, 4, [Change("r2", "new"), Change("r3", "gone")], ["t9"])
    assert page(*parts).splitlines()[-1] == (
        "Nothing was written. Of the runs of 5 traces 1 would change, 1 would be new, 1 would go, 5 would stay as before."
        " 1 could not be built: t9."
    )
    done = page(*parts, diff=False).splitlines()[-1]
    assert done.startswith("Rebuilt 5 traces: of their runs 1 changed, 1 came new, 1 went, 5 stayed as before.")
    assert page().startswith("Nothing to rebuild")


def test_machines_get_every_fact_in_full() -> None:
    """One object with the facts uncut; a side on which there is none has no key."""
    told = json.loads(page(Outcome(1, 0, [CHANGED]), Outcome(1, 0, [Change("r2", "gone")]), as_json=True))
    assert told["changed"][0]["facts"][0] == {"path": "root.reply", "after": "x" * 99}
    assert told["changed"][0]["facts"][1]["before"] is None
    assert (told["gone"], told["new"], told["same"], told["traces"]) == (["r2"], [], 0, 2)
