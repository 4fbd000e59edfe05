"""Fulfils questions: known verdicts first, then calls, so many at once, until a cap is reached or nobody answers."""

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from collector import UserError
from grader.asking import Answer, Question
from grader.judge.batches import Batches
from grader.judge.client import Client, Reply
from grader.judge.prices import Prices, tokens_at_most
from grader.judge.tally import Tally
from grader.judge.verdicts import NOBODYS, About, Given, Verdicts

DEFAULT_MODEL = "claude-sonnet-5-5"
"""Who is asked where neither the check nor the suite nor the command line names a model."""

OUTAGE = 5
"""Questions in a row, each repeated by the SDK, after which nobody else is asked."""


_CALLS = "the cap of {:,} judge calls is reached (--max-judge-calls)"
_USD = "the cap of ${:g} for judges is reached (--max-judge-usd)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`usd` and `calls` None: no cap. `at_once`: calls in flight."""

    usd: float | None = None
    calls: int | None = None
    at_once: int = 16


def silent(tally: Tally, done: int, wanted: int) -> None:
    """Tells nobody."""


class Judges:
    """Asks models for one command: its caps and its outage hold over all suites. With `batches` questions go there.

    A `client` is made whenever somebody has to be asked. `verdicts` None: nothing is looked up or kept; `refresh`: nothing is
    looked up. `tell` hears after each answer how many of how many there are.
    """

    def __init__(
        self,
        client: Callable[[], Client] = Client,
        verdicts: Verdicts | None = None,
        limits: Limits | None = None,
        *,
        batches: Batches | None = None,
        refresh: bool = False,
        dry_run: bool = False,
        tell: Callable[[Tally, int, int], None] = silent,
    ) -> None:
        self.limits = limits or Limits()
        self.tally = Tally()
        self.stopped = ""
        """Why nobody is asked any more."""
        self.capped = False
        self._client = client
        self._verdicts = verdicts
        self._batches = batches
        self._refresh = refresh
        self._dry_run = dry_run
        self._tell = tell
        self._lost = 0

    def answers(self, questions: Mapping[str, Question], prices: Prices, about: About = NOBODYS) -> dict[str, Answer]:
        """An answer to each question, by key; `about` says whose words stand in them.

        Raises:
            UserError: a spending cap is set, and the price of a model is not known.
        """
        known = {} if self._verdicts is None or self._refresh else self._verdicts.known(questions)
        self.tally.cached += len(known)
        rest = {key: question for key, question in questions.items() if key not in known}
        self._priced(rest, prices)
        if self._verdicts is not None and not self._dry_run:
            self._verdicts.note({key: about[key] for key in questions if key in about})
        if self._dry_run:
            return known | {key: self._foreseen(question, prices) for key, question in rest.items()}
        return known | (
            self._ask(rest, prices) if self._batches is None else self._ask_batches(self._batches, rest, prices)
        )

    def _priced(self, questions: Mapping[str, Question], prices: Prices) -> None:
        if self.limits.usd is None:
            return
        unknown = sorted({q.model for q in questions.values() if prices.of(q.model) is None})
        if unknown:
            raise UserError(
                f"--max-judge-usd cannot be kept: the price of {', '.join(unknown)} is not known; "
                "say it in the suite (prices: { model: { input, output } }, dollars per million tokens)"
            )

    def _foreseen(self, question: Question, prices: Prices) -> Answer:
        self.tally.calls += 1
        self.tally.input_tokens += tokens_at_most(question)
        self.tally.output_tokens += question.max_tokens
        self.tally.pay(question.model, prices.at_most(question))
        return Answer(error="not asked in a dry run")

    def _ask(self, questions: Mapping[str, Question], prices: Prices) -> dict[str, Answer]:
        found: dict[str, Answer] = {}
        queue = deque(questions.items())
        if not queue or not self._may(queue[0][1], prices, {}):
            self.tally.not_asked += len(queue)
            return {key: Answer(error=self.stopped) for key, _ in queue}
        running: dict[Future[Reply], tuple[str, Question]] = {}
        # The client ends first: where somebody presses Ctrl-C, what is in flight ends with its connections.
        with ThreadPoolExecutor(self.limits.at_once, thread_name_prefix="judge") as pool, self._client() as client:
            while queue or running:
                while queue and len(running) < self.limits.at_once and self._may(queue[0][1], prices, running):
                    key, question = queue.popleft()
                    running[pool.submit(client.ask, question)] = (key, question)
                    self.tally.calls += 1
                if not running:
                    break
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                come = [(*running.pop(future), future.result()) for future in done]
                found |= self._take(come, prices)
                self._tell(self.tally, len(found), len(questions))
        self.tally.not_asked += len(queue)
        return found | {key: Answer(error=self.stopped) for key, _ in queue}

    def _ask_batches(self, batches: Batches, questions: Mapping[str, Question], prices: Prices) -> dict[str, Answer]:
        """Caps are kept by what all of it can cost at most, since nobody can stop in the middle of a batch."""
        under_way = batches.under_way(list(questions))
        allowed: dict[str, Question] = {}
        flying = 0.0
        for key, question in questions.items():
            if key not in under_way:
                cost = prices.at_most(question, batch=True) or 0.0
                if not self._within(len(allowed), flying + cost):
                    break
                flying += cost
            allowed[key] = question
        found: dict[str, Answer] = {}
        if allowed:
            with self._client() as client:
                for come in batches.replies(client, allowed):
                    self.tally.calls += len(come)
                    found |= self._take(come, prices, batch=True)
                    self._tell(self.tally, len(found), len(questions))
        rest = questions.keys() - found.keys()
        self.tally.not_asked += len(rest)
        return found | {key: Answer(error=self.stopped) for key in rest}

    def _within(self, calls: int, usd: float) -> bool:
        """Whether a cap allows one call more beside so many, and so many dollars."""
        limits, tally = self.limits, self.tally
        if limits.calls is not None and tally.calls + calls >= limits.calls:
            self._cap(_CALLS.format(limits.calls))
            return False
        if limits.usd is not None and (tally.usd or 0.0) + usd > limits.usd:
            self._cap(_USD.format(limits.usd))
            return False
        return not self.stopped

    def _may(self, question: Question, prices: Prices, running: Mapping[Future[Reply], tuple[str, Question]]) -> bool:
        """Whether the question may be asked now. What is in flight counts with the most that it can cost."""
        if self.stopped:
            return False
        limits, tally = self.limits, self.tally
        if limits.calls is not None and tally.calls >= limits.calls:
            self._cap(_CALLS.format(limits.calls))
            return False
        if limits.usd is None:
            return True
        flying = sum(prices.at_most(q) or 0.0 for _, q in running.values())
        if (tally.usd or 0.0) + flying + (prices.at_most(question) or 0.0) <= limits.usd:
            return True
        if not running:  # nothing that could turn out cheaper
            self._cap(_USD.format(limits.usd))
        return False

    def _cap(self, why: str) -> None:
        self.stopped, self.capped = why, True

    def _take(
        self, come: list[tuple[str, Question, Reply]], prices: Prices, *, batch: bool = False
    ) -> dict[str, Answer]:
        """Counts, keeps the verdicts before anything else is done, and sees whether anybody answers at all."""
        found: dict[str, Answer] = {}
        given: list[Given] = []
        for key, question, reply in come:
            cost = prices.cost(question.model, reply.input_tokens, reply.output_tokens, batch=batch)
            if reply.input_tokens is not None:
                self.tally.input_tokens += reply.input_tokens
                self.tally.output_tokens += reply.output_tokens or 0
                self.tally.pay(question.model, cost)
            if reply.verdict is not None:
                given.append(Given(question, reply, cost))
            self._heard(reply)
            found[key] = Answer(
                value=reply.verdict, error=reply.error, cost_usd=cost, seconds=reply.seconds,
                input_tokens=reply.input_tokens, output_tokens=reply.output_tokens,
            )  # fmt: skip
        if self._verdicts is not None:
            self._verdicts.add(given)
        return found

    def _heard(self, reply: Reply) -> None:
        self._lost = self._lost + 1 if reply.outage else 0
        self.tally.failed += reply.verdict is None
        if reply.stops and not self.stopped:
            self.stopped = reply.error
        elif self._lost >= OUTAGE and not self.stopped:
            self.stopped = f"{reply.error}, {OUTAGE} times in a row"
