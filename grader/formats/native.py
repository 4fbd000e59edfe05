"""The native suite: YAML 1.2 core, order of keys never matters, unknown keys are errors with the nearest name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from grader import explain
from grader.case import Case, Check, Circuit, Select, Suite, sealed
from grader.code.process import CodeProcess, Permission
from grader.forms import Around, Item
from grader.gates.shares import Shares
from grader.pieces import forms
from grader.schema import GateForm, suite_form
from grader.shares import read_budget, read_share
from grader.suites import Format
from grader.syntax import yaml12
from grader.syntax.foreign import glance
from grader.syntax.mistakes import Mistake, SuiteError


def recognises(text: str) -> bool:
    """A native suite says so in a key of its own."""
    if any(line.startswith(("tracegrade:", '"tracegrade"', "'tracegrade'")) for line in text.splitlines()):
        return True
    value = glance(text) if text.lstrip()[:1] == "{" else None
    return isinstance(value, dict) and "tracegrade" in value


def read(path: Path, text: str, allowed: Permission | None = None) -> Suite:
    """The compiled suite. `allowed` None: functions of the author's are not run, and their checks not graded.

    Raises:
        SuiteError: with every mistake in the file, each with its line.
    """
    document = yaml12.read(path, text)
    found = list(document.mistakes)
    if document.value is None and found:
        raise SuiteError(found)
    form: Any = None
    try:
        around = Around(path.parent, None if allowed is None else CodeProcess(path.parent, allowed))
        form = suite_form().model_validate(document.value, context=around)
    except ValidationError as error:
        found += explain.mistakes(str(path), document, error.errors(include_url=False), suite_form())
    found += _twice(str(path), document)
    if found:
        raise SuiteError(found)
    return _suite(form, path, text, document, allowed)


def _twice(path: str, document: yaml12.Document) -> list[Mistake]:
    """Case names are how runs and results find their case, so each stands once."""
    cases = document.value.get("cases") if isinstance(document.value, dict) else None
    seen: dict[str, int] = {}
    found = []
    for number, case in enumerate(cases if isinstance(cases, list) else ()):
        name = case.get("name") if isinstance(case, dict) else None
        if not isinstance(name, str):
            continue
        where = ("cases", number, "name")
        if name in seen:
            message = f"a case named {name!r} stands on line {seen[name]} already"
            found.append(Mistake(path, document.line(where), yaml12.dotted(where), message))
        seen.setdefault(name, document.line(where))
    return found


def _suite(form: Any, path: Path, text: str, document: yaml12.Document, allowed: Permission | None) -> Suite:
    select = Select(**form.select.model_dump())
    cases = tuple(_Reader(form, document, number).case() for number in range(len(form.cases)))
    gate = Shares() if form.gate is None else _gate(form.gate)
    return sealed(
        Suite(
            name=form.suite,
            path=str(path),
            format="native",
            select=select,
            gate=gate,
            cases=cases,
            text=text,
            model=form.judge.model or "",
            prices=form.judge.prices,
            allowed=allowed,
        )
    )


def _gate(form: GateForm) -> Shares:
    return Shares(
        each_case_pass=read_share(form.each_case.pass_),
        min_samples=form.each_case.min_samples,
        suite_pass=None if form.suite.pass_ is None else read_share(form.suite.pass_),
        max_error=read_budget(form.suite.max_error),
        max_indeterminate=read_budget(form.suite.max_indeterminate),
    )


class _Reader:
    """One case of the file."""

    def __init__(self, suite: Any, document: yaml12.Document, number: int) -> None:
        self.suite = suite
        self.document = document
        self.where: yaml12.Where = ("cases", number)
        self.form = suite.cases[number]

    def case(self) -> Case:
        form = self.form
        items = list(form.expect or ())
        match = form.match or "exact"
        asks = form.request is not None or match == "name"
        if (asks and not any(item.KEY == "status" for item in items)) or not items:
            # Implied: a case that says nothing about the ending wants the job done. A policy asks only what it says.
            items.append(forms()["status"](status=["completed"], name="status completed (implied)"))
        when = [(item, f"when.{n}", self._line("when", n)) for n, item in enumerate(form.when or (), 1)]
        expect = [(item, str(n), self._line("expect", n)) for n, item in enumerate(items, 1)]
        return Case(
            name=form.name,
            request=form.request,
            match=match,
            when=tuple(self._check(*one) for one in when),
            expect=tuple(self._check(*one) for one in expect),
            line=self.document.line(self.where),
            notices=tuple(n for item, position, _ in (*when, *expect) for n in _notices(item, position)),
        )

    def _line(self, part: str, number: int) -> int:
        """Where the item stands; a single one below `when` need not be in a list."""
        return self.document.line((*self.where, part, number - 1))

    def _check(self, item: Item, position: str, line: int) -> Check:
        return Check(
            label=item.name or item.label(),
            kind=item.KEY,
            position=position,
            primitive=item.compile(self.suite.defaults),
            severity=item.weight(self.suite.defaults.severity),
            unknown=item.policy(self.suite.unknown),
            line=line,
            circuit=_circuit(item, self.suite) if self.suite.short_circuit else "",
        )


def _circuit(item: Item, suite: Any) -> Circuit:
    """A failed check breaks it if that alone fails the case; one that asks a model, itself or in a child, is spared.

    A label costs nothing to look up, and what a person said is no broken contract.
    """
    if _asks(item):
        return "spared"
    return "breaks" if item.weight(suite.defaults.severity) == "critical" and item.KEY != "human" else ""


def _asks(item: Item) -> bool:
    return (item.SPARED and item.KEY != "human") or any(_asks(child) for child in item.children())


def _notices(item: Item, position: str) -> Iterator[str]:
    """What of an item, and of those inside it, is not checked."""
    notice = item.notice()
    if notice is not None:
        yield f"{notice} (check {position})"
    for number, child in enumerate(item.children(), 1):
        if not child.GRADED:
            yield f"{child.label()} (in check {position})"
        yield from _notices(child, f"{position}.{number}")


FORMAT = Format(name="native", recognises=recognises, read=read, sign="the key `tracegrade: 1`", may_name_code=True)
