"""`tracegrade explain`: a compiled suite as it will be graded, each check with its policy and every parameter.

Nothing here knows a check or a format: a definition is shown field by field, whatever its type.
"""

import dataclasses
from collections.abc import Iterator
from typing import Any

import orjson
from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from grader.case import Case, Check, Suite, facts
from grader.gate import plural
from grader.report.console import console, written
from grader.report.report_format import Page


def plain(suite: Suite) -> dict[str, Any]:
    """For a pipeline: all of the suite but the text of its file, with the hashes by which results know it."""
    return {key: value for key, value in facts(suite).items() if key != "text"}


def render(suite: Suite, page: Page) -> str:
    """For people: a tree that fits the terminal."""
    screen, out = console(page)
    _suite(screen, suite)
    return written(out)


def _suite(screen: Console, suite: Suite) -> None:
    head = Text.assemble((suite.name, "bold"), f" ({suite.path}), {suite.format}, {plural(len(suite.cases), 'case')}")
    tree = Tree(head.append(f", definition {suite.hash}", "dim"))
    for name, value in (("select", suite.select), ("gate", suite.gate)):
        _part(tree, name, value)
    for case in suite.cases:
        _case(tree, case)
    for notice in suite.notices:
        tree.add(Text(f"notice: {notice}", "yellow"))
    screen.print(tree)


def _case(tree: Tree, case: Case) -> None:
    head = Text.assemble(("case ", "dim"), (case.name, "bold"), f": {_matching(case)}")
    branch = tree.add(head.append(f", line {case.line}, definition {case.hash}", "dim"))
    if case.left_out:
        branch.add(Text(f"left out by --tenant-gate: {case.left_out}", "yellow"))
    for check in case.when:
        _check(branch, check, "when ")
    for check in case.expect:
        _check(branch, check, "")
    for notice in case.notices:
        branch.add(Text(f"notice: {notice}", "yellow"))


def _matching(case: Case) -> str:
    """Which runs it looks at."""
    if case.policy:
        return "a policy for every selected run" + (" where `when` is met" if case.when else "")
    if case.match == "name":
        return "runs that carry its name"
    how = "contains" if case.match == "contains" else "is"
    return f"runs that carry its name, else whose input {how} {_shown(case.request)}"


def _check(branch: Tree, check: Check, before: str) -> None:
    position = check.position.removeprefix("when.")
    text = Text.assemble((f"{before}{position} ", "dim"), (check.label, "bold"))
    text.append(f"  {check.kind}, {check.severity}, unknown → {check.unknown}", "dim")
    _definition(branch.add(text), check.primitive, "")


def _part(tree: Tree, name: str, value: Any) -> None:
    """A definition of its own, or a plain value."""
    if _is_definition(value):
        _definition(tree, value, f"{name}: ")
    else:
        tree.add(Text(f"{name}: {_shown(value)}"))


def _definition(tree: Tree, value: Any, before: str) -> None:
    """One line with the plain parameters, and a branch for each definition below."""
    found = [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if f.init]
    told = ", ".join(f"{name} {_shown(v)}" for name, v in found if not _holds(v))
    branch = tree.add(Text(f"{before}{type(value).__name__}{f'  {told}' if told else ''}"))
    for name, v in found:
        for place, part in _parts(v) if _holds(v) else ():
            _part(branch, f"{name}{place}", part)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """A definition, or the members of a list of them (pairs of a name and a definition by their names)."""
    if _is_definition(value):
        yield "", value
        return
    for number, part in enumerate(value):
        if isinstance(part, tuple) and len(part) == len(("name", "definition")) and isinstance(part[0], str):
            yield f".{part[0]}", part[1]
        else:
            yield f"[{number}]", part


def _is_definition(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _holds(value: Any) -> bool:
    """Whether a definition stands in it."""
    return _is_definition(value) or (isinstance(value, list | tuple) and any(map(_holds, value)))


def _shown(value: Any) -> str:
    """A value in full, as JSON."""
    return "none" if value is None else orjson.dumps(facts(value), default=str).decode()
