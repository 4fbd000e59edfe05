"""`evalstone.yaml`: datasets, checks and suites, each suite with a gate of its own (S2-56 to S2-58)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.case import Case, Check, Select, Suite, sealed
from grader.code.process import Permission
from grader.evalstone import check_types, datasets, own_checks
from grader.evalstone.check_types import CheckType
from grader.evalstone.datasets import Dataset
from grader.evalstone.gate import read_gate
from grader.evalstone.reading import Around
from grader.judge.prices import Price, price
from grader.nearest import nearest
from grader.suites import Format
from grader.syntax.foreign import Fields, Sheet, glance


def recognises(text: str) -> bool:
    """Suites by name, over datasets by name."""
    value = glance(text) if "suites" in text and "datasets" in text else None
    return isinstance(value, dict) and all(isinstance(value.get(key), dict) for key in ("suites", "datasets"))


def read(path: Path, text: str, allowed: Permission | None = None) -> Sequence[Suite]:
    """The compiled suites, in the order of the file. `allowed` None: the modules of `imports:` are not imported.

    Raises:
        SuiteError: with every mistake in the file and in its datasets, each with its line.
    """
    sheet = Sheet(path, text)
    suites = _File(path, text, sheet, allowed).suites()
    sheet.done()
    return suites


class _File:
    """One pass over one file."""

    def __init__(self, path: Path, text: str, sheet: Sheet, allowed: Permission | None) -> None:
        self.allowed = allowed
        self.path = path
        self.text = text
        self.sheet = sheet
        self.top = sheet.fields()
        self.read: dict[str, Dataset] = {}
        self.notices: list[str] = []

    def suites(self) -> list[Suite]:
        """All of them; a key of the file that nobody knows is the live runner's business."""
        self.top.text_or("project", None)
        self.modules = self.top.texts("imports", single=True)
        judges = self.top.fields("judges")
        around = Around(
            folder=self.path.parent,
            model=None if judges is None else judges.text_or("default_model", None),
            allowed=self.allowed,
        )
        self.prices = self._prices()
        self.datasets = self._named("datasets")
        own = own_checks.read(self.top, around)
        self.checks = own | {k: check_types.read(f, around) for k, f in self._mappings("checks").items()}
        named = self._mappings("suites")
        if not named:
            self.top.wrong("suites", "names no suite")
        self.notices += [f"the key {key!r} is not known and not used" for key in self.top.rest()]
        found = [self._suite(name, fields) for name, fields in named.items()]
        return [sealed(suite) for suite in found]

    def _prices(self) -> dict[str, Price]:
        """Dollars per million tokens by model; what is written in another way is told and not used."""
        found: dict[str, Price] = {}
        for model, raw in self._named("prices").items():
            try:
                found[model] = price(raw)
            except ValueError as error:
                self.notices.append(f"`prices.{model}` is not used: {error}")
        return found

    def _named(self, key: str) -> dict[str, Any]:
        """A mapping by name; empty where there is none."""
        fields = self.top.fields(key)
        return {} if fields is None else {name: fields.raw(name) for name in fields.values}

    def _mappings(self, key: str) -> dict[str, Fields]:
        fields = self.top.fields(key)
        return {} if fields is None else {n: self.sheet.fields((key, n), v) for n, v in fields.values.items()}

    def _suite(self, name: str, fields: Fields) -> Suite:
        dataset = self._dataset(fields)
        keys = self._keys(fields)
        short = fields.truth_or("short_circuit", False)
        notices = [*self.notices]
        if fields.has("target"):
            notices.append("not applicable after the fact: `target` (the runs of the store are the outputs)")
            fields.raw("target")
        gate = read_gate(fields, tuple(keys), notices)
        notices += [f"the key `suites.{name}.{key}` is not known and not used" for key in fields.rest()]
        cases = tuple(self._case(sample, keys, fields.line, short=short) for sample in dataset.samples)
        return Suite(
            name=name,
            path=str(self.path),
            format="evalstone",
            select=Select(),
            gate=gate,
            cases=cases,
            notices=(*notices, *dataset.notices),
            text=self.text,
            prices=self.prices,
            allowed=self.allowed,
        )

    def _keys(self, fields: Fields) -> list[str]:
        """The checks that a suite asks for, each once. One that only a module of `imports` could have is none (S2-54)."""
        keys: list[str] = []
        for number, key in enumerate(fields.texts("checks")):
            where = (*fields.where, "checks", number)
            if key in keys:
                self.sheet.wrong(where, f"{key!r} stands here twice")
            elif key in self.checks:
                keys.append(key)
            else:
                self.sheet.wrong(where, f"no check is called {key!r}{nearest(key, list(self.checks))}{self._imports()}")
        return keys

    def _imports(self) -> str:
        """Where else a check may be."""
        if not self.modules or self.allowed is not None:
            return ""
        modules = ", ".join(self.modules)
        return (
            f"; should a module of `imports:` ({modules}) define it: a module is imported only with --allow-code, since its "
            "author can run any code"
        )

    def _dataset(self, fields: Fields) -> Dataset:
        """The suite's dataset, read once a file."""
        name = fields.text("dataset")
        if name in self.read:
            return self.read[name]
        empty = Dataset(self.path)
        if not name:
            return empty
        if name not in self.datasets:
            fields.wrong("dataset", f"no dataset is called {name!r}{nearest(name, list(self.datasets))}")
            return empty
        where = self.datasets[name]
        if not isinstance(where, str) or not where:
            self.sheet.wrong(("datasets", name), "must be the path of a JSONL file")
            found = empty
        elif not (self.path.parent / where).is_file():
            self.sheet.wrong(("datasets", name), f"there is no file {where}")
            found = empty
        else:
            found = datasets.read(self.path.parent / where)
        self.sheet.mistakes += found.mistakes
        self.read[name] = found
        return found

    def _case(self, sample: datasets.Sample, keys: list[str], line: int, *, short: bool) -> Case:
        """A sample is a case: its id is the name that a run bears, its input what a run was asked."""
        return Case(
            name=sample.id,
            request=sample.input,
            match="exact" if sample.input is not None else "name",
            when=(),
            expect=tuple(_check(key, self.checks[key], sample, str(n), short=short) for n, key in enumerate(keys, 1)),
            line=line,
            content=sample.content,
        )


def _check(key: str, made: CheckType, sample: datasets.Sample, position: str, *, short: bool) -> Check:
    """Whatever cannot be scored is an error (S2-2)."""
    return Check(
        label=key,
        kind=made.kind,
        position=position,
        primitive=made.make(sample),
        severity="critical",
        unknown="error",
        line=made.line,
        circuit=made.circuit if short else "",
    )


FORMAT = Format(
    name="evalstone", recognises=recognises, read=read, sign="the keys `datasets` and `suites`", may_name_code=True
)
