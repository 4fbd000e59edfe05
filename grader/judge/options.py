"""What the command line says about judges."""

from collections.abc import Callable
from dataclasses import dataclass, field

from collector import Store
from grader.case import Suite
from grader.judge.batches import Batches
from grader.judge.judges import DEFAULT_MODEL, Judges, Limits, silent
from grader.judge.labels import Labels
from grader.judge.panel import Panel
from grader.judge.prices import Prices
from grader.judge.replies import Replies
from grader.judge.tally import Tally
from grader.judge.verdicts import Verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """`model` None: a suite's own, else the default. `cache` False: verdicts are neither looked up nor kept.

    `refresh`: they are kept, and not looked up. `dry_run`: nobody is asked, and what would be is counted.
    """

    model: str | None = None
    limits: Limits = field(default_factory=Limits)
    cache: bool = True
    refresh: bool = False
    dry_run: bool = False
    batch: bool = False
    """Over the Message Batches API: half the price, and an answer within a day."""
    tell: Callable[[Tally, int, int], None] = silent

    def judges(self, store: Store) -> Judges:
        """Those of one command, whatever suites it grades."""
        kept = Verdicts(store) if self.cache else None
        return Judges(
            verdicts=kept,
            limits=self.limits,
            batches=Batches(store) if self.batch else None,
            refresh=self.refresh,
            dry_run=self.dry_run,
            tell=self.tell,
        )

    def panel(self, suite: Suite, judges: Judges, store: Store) -> Panel:
        """Who answers what this suite asks."""
        model = suite.model or self.model or DEFAULT_MODEL
        return Panel(judges, Prices(suite.prices), model, Labels(store), Replies(store))
