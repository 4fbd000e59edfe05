"""Asks a person for labels, one output at a time: in a terminal, or line by line from whatever standard input is."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TextIO

from collector import printable, show_trees, tree
from grader.levels import Levels
from grader.people import typed
from grader.people.label import Label, given
from grader.people.wanted import Unlabelled, output_of


@dataclass(slots=True)
class Counts:
    """What became of the outputs that were shown."""

    shown: int = 0
    labelled: int = 0
    skipped: int = 0
    changed: list[str] = field(default_factory=list)
    """Runs that have another output by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """Where questions go and answers come from. `scale` None: pass or fail. `keep` is handed each label at once."""

    lines: TextIO
    out: TextIO
    labeler: str
    keep: Callable[[Label], None]
    scale: int | None = None

    def ask(self, wanted: Iterable[Unlabelled], find: Callable[[str], tree.Run | None], limit: int | None) -> Counts:
        """Shows each and asks, until there are no more, `limit` were shown, or the person has enough (quit, Ctrl-C, Ctrl-D)."""
        counts = Counts()
        try:
            for one in wanted:
                if limit is not None and counts.shown >= limit:
                    break
                run = find(one.ask.run)
                text = None if run is None else output_of(run, one.ask)
                if run is None or text is None:
                    counts.changed.append(one.ask.run)
                    continue
                counts.shown += 1
                if not self._one(one, run, text, counts):
                    break
        except KeyboardInterrupt:
            self.out.write("\n")
        return counts

    def _one(self, one: Unlabelled, run: tree.Run, text: str, counts: Counts) -> bool:
        """One output; False: the person has enough."""
        check = f" · check {printable.clean(one.ask.check)}" if one.ask.check else ""
        self.out.write(f"\n({counts.shown}) {printable.clean(one.ask.sample)}{check}\n")
        self.out.flush()
        show_trees([run], as_json=False)
        reply = "\n".join(f"  {printable.clean(line)}" for line in text.split("\n"))
        self.out.write(f"reply, in full:\n{reply}\n")
        verdict = self._verdict()
        if verdict == "skip":
            counts.skipped += 1
            return True
        if verdict is None or isinstance(verdict, str):
            return False
        notes = self._line("note (Enter: none): ")
        value, passed, raw = verdict
        self.keep(
            Label(
                sample_id=one.ask.sample, output_hash=one.ask.output_hash, value=value, passed=passed,
                notes=(notes or "").strip() or None, check=one.ask.check, labeler=self.labeler,
                created_at=time.time_ns() // 1_000 * 1_000, raw=raw, run_id=run.id,
                suite=one.suite or run.suite_name, case=one.case or run.case_name,
            )
        )  # fmt: skip
        counts.labelled += 1
        self.out.write(f"recorded: {'passed' if passed else 'failed'} ({raw})\n")
        return notes is not None

    def _verdict(self) -> tuple[float, bool, str] | str | None:
        """What the person says; "skip", or None: enough. What is neither is asked again."""
        if self.scale is None:
            question = "p(ass), f(ail), s(kip), q(uit): "
        else:
            question = f"level {Levels(scale=self.scale).tell()}, s(kip), q(uit): "
        while True:
            answer = self._line(question)
            word = None if answer is None else answer.strip().lower()
            if word is None or word in ("q", "quit"):
                return None
            if word in ("s", "skip"):
                return "skip"
            verdict = given(word, self.scale)
            if verdict is not None:
                return verdict
            self.out.write("That is none of these.\n")

    def _line(self, question: str) -> str | None:
        """What the person types; None at the end of the input."""
        self.out.write(question)
        self.out.flush()
        line = typed.line(self.lines)
        if not line:
            self.out.write("\n")
            return None
        return line
