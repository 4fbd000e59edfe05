"""AgentLasso check lists: a case is a request with checks, as they are stored (`checks_version: 1`) or of the older forms."""

from pathlib import Path
from typing import Any

from grader.agentlasso import checks
from grader.case import Case, Check, Select, Suite, sealed
from grader.gates.case_rate import CaseRate
from grader.suites import Format
from grader.syntax.foreign import Fields, Sheet, glance

VERSION = 1

OLDER = ("expected_tool_calls", "guardrails")
"""What is read as checks where there are none (S0-31)."""

_ASKS = ("checks", *OLDER, "rubric")
_OTHERS = frozenset({"tracegrade", "expect", "scenarios", "assertions", "tests", "suites", "payload", "input"})
"""Keys that no case of this format has."""


def recognises(text: str) -> bool:
    """A case, a list of cases, or `cases` with such: known by `checks_version`, or by a request with anything to check."""
    value = glance(text)
    if isinstance(value, dict) and "cases" in value and not _OTHERS & value.keys():
        value = value["cases"]
    elif isinstance(value, dict):
        return _is_case(value) and any(key in value for key in ("checks_version", *_ASKS))
    return isinstance(value, list) and any(_is_case(v) for v in value)


def _is_case(value: Any) -> bool:
    return isinstance(value, dict) and not _OTHERS & value.keys() and bool({"checks_version", "request"} & value.keys())


def read(path: Path, text: str) -> Suite:
    """The compiled suite.

    Raises:
        SuiteError: with every mistake in the file, each with its line.
    """
    sheet = Sheet(path, text)
    name, notices = path.stem, []
    if isinstance(sheet.document.value, list):
        entries = [sheet.fields((n,), v) for n, v in enumerate(sheet.document.value)]
        if not entries:
            sheet.wrong((), "has no case")
    else:
        head = sheet.fields()
        entries = [head]
        if "cases" in head.values:
            entries, name = head.items("cases", least=1), head.text_or("name", name)
            _version(head)
            notices = head.unread()
    alone = path.stem if entries and not entries[0].where else ""
    cases = tuple(_case(fields, alone) for fields in entries)
    _once(sheet, entries, cases)
    sheet.done()
    suite = Suite(
        name=name, path=str(path), format="agentlasso", select=Select(), gate=CaseRate(), cases=cases,
        notices=tuple(notices), text=text,
    )  # fmt: skip
    return sealed(suite)


def _case(fields: Fields, alone: str) -> Case:
    """A case; `alone`: the name of one that is the whole file and has none."""
    name, id_ = fields.text_or("name", ""), fields.id_or("id", "")
    request = fields.raw("request")
    if not (name or id_ or alone):
        fields.wrong(None, "has neither `id` nor `name`, by which its results are found")
    if request == "":
        fields.wrong("request", "must be a text or a JSON value, is empty")
    expect, notices = _expect(fields)
    named = bool(name or id_)
    if request is None:
        what = "only runs that carry its name are judged" if named else "every selected run is judged"
        notices.append(f"has no request: {what}")
    return Case(
        name=name or id_ or alone,
        aliases=(id_,) if name and id_ and id_ != name else (),
        request=request,
        match="name" if request is None and named else "exact",
        when=(),
        expect=tuple(expect),
        line=fields.line,
        notices=(*notices, *fields.unread()),
    )


def _expect(fields: Fields) -> tuple[list[Check], list[str]]:
    """The checks; the older forms where there are none (S0-31), and the sentences of older cases (S0-30)."""
    notices: list[str] = []
    older = [key for key in OLDER if fields.has(key)]
    if fields.has("checks"):
        if not _version(fields) and "checks_version" not in fields.values:
            notices.append("has no checks_version; its checks are read as version 1")
        found = _checks(fields)
        if older:
            notices.append(f"{' and '.join(older)} not read: `checks` stands in their place")
    else:
        _version(fields)
        found = _older(fields)
    for number, text in enumerate(fields.texts("rubric", single=True)):
        found.append(checks.note(text, len(found) + 1, f"rubric[{number}]"))
    return found, notices


def _version(fields: Fields) -> bool:
    """Whether a version is given; any other than 1 is a mistake (S0-2), also `true`."""
    if not fields.has("checks_version"):
        return False
    found = fields.values["checks_version"]
    if found != VERSION or isinstance(found, bool):
        fields.wrong("checks_version", f"version {found!r} is not known; known is {VERSION}")
    return True


def _checks(fields: Fields) -> list[Check]:
    """Ids stand once in a case (S0-3)."""
    found, lines = [], {}
    for number, item in enumerate(fields.items("checks"), 1):
        check = checks.read_check(item, number)
        id_ = item.id_or("id", "")
        if id_ and id_ in lines:
            item.wrong("id", f"the id {id_!r} stands on line {lines[id_]} already")
        lines.setdefault(id_, item.line)
        found += [check] if check else []
    return found


def _older(fields: Fields) -> list[Check]:
    """Calls that are expected, then what must not be said: all critical (S0-31)."""
    found: list[Check] = []
    for number, tool in enumerate(_tools(fields)):
        label = f"expected_tool_calls[{number}]"
        found.append(checks.check(label, "tool_called", len(found) + 1, checks.called(tool)))
    for number, text in enumerate(fields.texts("guardrails", single=True)):
        label, primitive = f"guardrails[{number}]", checks.says(text, found=False)
        found.append(checks.check(label, "output_not_contains", len(found) + 1, primitive))
    return found


def _tools(fields: Fields) -> list[str]:
    """Names, or mappings with a name; what stands beside it (arguments) is compared by no check of this format."""
    value = fields.values.get("expected_tool_calls")
    if not isinstance(value, list) or not any(isinstance(v, dict) for v in value):
        return fields.texts("expected_tool_calls", single=True)
    names = []
    for number, item in enumerate(value):
        if isinstance(item, str) and item:
            names.append(item)
            continue
        below = fields.sheet.fields((*fields.where, "expected_tool_calls", number), item)
        names.append(below.text("tool" if "tool" in below.values else "name"))
    return names


def _once(sheet: Sheet, entries: list[Fields], cases: tuple[Case, ...]) -> None:
    """Names and ids are how runs and results find their case, so each stands once."""
    seen: dict[str, int] = {}
    for fields, case in zip(entries, cases, strict=True):
        for name in {case.name, *case.aliases} - {""}:
            if name in seen:
                sheet.wrong(fields.where, f"a case called {name!r} stands on line {seen[name]} already")
            seen.setdefault(name, fields.line)


FORMAT = Format(
    name="agentlasso",
    recognises=recognises,
    read=read,
    sign="cases with `request` and `checks`, or `checks_version: 1`",
)
