"""The constructs of each vocabulary, as the product's own tables and readers name them, and which of them an example shows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from grader.agentlasso.checks import TYPES
from grader.evalstone.check_types import READERS
from grader.expectations.approvals import DECISIONS, KINDS
from grader.formats.agentlasso import OLDER
from grader.forms import Form, Item
from grader.operators import OPERATORS
from grader.outcome import Outcome, Result, Severity
from grader.pieces import forms
from grader.scenario.assertions import CONDITIONS, EXTENSIONS
from grader.schema import any_item
from grader.wanted import STATES
from tests.grader import evalstone_files
from tests.grader.rules import connic_runs, evals, vocabularies
from tests.grader.rules.examples_graded import Example, example, examples

UNKNOWN = "zzzzzzzz"
"""A key and a value that come near to none."""

NOT_APPLICABLE = "not applicable"
"""In place of an outcome: what a notice says of a run control."""

Shown = Iterator[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What it has, what of that an example shows and how it came out, and what is neither passed nor failed there."""

    constructs: Callable[[], set[str]]
    shown: Callable[[Example], Shown]
    exceptions: dict[str, tuple[str, str]]
    """With all its fields: what it comes to instead, and why."""

    def instead(self, construct: str) -> str | None:
        """What an exception comes to; None: it is none."""
        found = (o for name, (o, _) in self.exceptions.items() if construct == name or construct.startswith(f"{name}."))
        return next(found, None)


def shown(name: str) -> dict[str, set[str]]:
    """What every construct came to, over all runs that are listed."""
    found: dict[str, set[str]] = {}
    for parameters in examples(name):
        for construct, outcome in KNOWN[name].shown(example(*parameters.values)):
            found.setdefault(construct, set()).add(outcome)
    return found


def _allowed(refusal: str) -> set[str]:
    """The keys that a mapping may have: those that the reader names beside one that it does not know."""
    known = refusal.partition(f"{UNKNOWN!r}; allowed here: ")[2].partition("\n")[0]
    return set(known.split(", ")) - {"type", "id"}


def _choices(refusal: str) -> set[str]:
    """The words that a key may have: those that the reader names beside one that it does not know."""
    return set(refusal.partition("must be one of ")[2].partition(";")[0].split(", "))


def _keys(kind: str, written: dict[str, Any], result: Result) -> Shown:
    yield kind, result.outcome
    yield from ((f"{kind}.{key}", result.outcome) for key in written if key not in ("type", "id"))


def _typed(types: Sequence[str], make: Any) -> set[str]:
    """Types of checks, each with every key that it may have."""
    keys = {kind: _allowed(vocabularies.refused(make, {"type": kind, UNKNOWN: 1})) for kind in types}
    return {*types, *(f"{kind}.{key}" for kind in types for key in keys[kind])}


def _lasso() -> set[str]:
    return _typed(list(TYPES), vocabularies.lasso) | {*OLDER, "rubric", *get_args(Severity)}


def _shown_by_lasso(one: Example) -> Shown:
    case, sample = one.content, one.sample
    for check, result in zip(case.get("checks", ()), sample.results, strict=False):
        yield from _keys(check["type"], check, result)
    yield from ((r.check.partition("[")[0], r.outcome) for r in sample.results if "checks" not in case)
    yield from ((r.severity, r.outcome) for r in sample.results)


def _scenario() -> set[str]:
    return _typed([*CONDITIONS, *EXTENSIONS], vocabularies.scenarios)


def _shown_by_scenario(one: Example) -> Shown:
    for assertion, result in zip(one.content["assertions"], one.sample.results, strict=False):
        yield from _keys(assertion["type"], assertion, result)


def _expectations() -> set[str]:
    entry = _allowed(evals.refused({"approvals": [{UNKNOWN: 1}]}))
    endings = _choices(evals.refused({"status": UNKNOWN}))
    return {
        *_allowed(evals.refused({UNKNOWN: 1})),
        *(f"status {ending}" for ending in endings),
        *(f"approvals.{key}" for key in entry),
        *(f"kind {kind}" for kind in KINDS),
        *(f"decision {decision}" for decision in DECISIONS),
    }


def _of_kind(one: Example, kind: str) -> Outcome:
    """What the checks of one kind come to together; where there are none, since nothing was graded, the case."""
    said = {r.outcome for r in one.sample.results if r.kind == kind}
    return "fail" if "fail" in said else "pass" if said == {"pass"} else one.sample.outcome


def _shown_by_expectations(one: Example) -> Shown:
    for key, value in one.content["expect"].items():
        outcome = _of_kind(one, "status" if key == "error_contains" else key)
        yield key, outcome
        if key == "status":
            yield f"status {value}", outcome
        for entry in value if key == "approvals" else ():
            yield from ((f"approvals.{part}", outcome) for part in entry)
            yield from ((f"{part} {entry[part]}", outcome) for part in ("kind", "decision") if part in entry)


def _native() -> set[str]:
    any_item()
    found = {*forms(), *OPERATORS, *(f"state {state}" for state in STATES)}
    for key, form in forms().items():
        for name, field in form.model_fields.items():
            told = field.alias or name
            if name in Item.model_fields:
                continue
            found |= {f"{key}.{told}"} if told != key else set()
            found |= {f"{key}.{told} {value}" for value in _words(field.annotation)} if told != "state" else set()
            inner = field.annotation
            if told == key and isinstance(inner, type) and issubclass(inner, Form):
                found |= {f"{key}.{f.alias or n}" for n, f in inner.model_fields.items()}
    return found


def _words(annotation: Any) -> set[str]:
    """The words that a field may have, also within a list or beside null."""
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    return set().union(*(_words(inner) for inner in get_args(annotation))) if get_origin(annotation) else set()


def _shown_by_native(one: Example) -> Shown:
    by_place = {r.position: r for r in one.sample.results}
    for place, item in enumerate(one.content.get("expect", ()), 1):
        outcome = by_place[str(place)].outcome
        key = next(key for key in item if key in forms())
        inner = item[key] if isinstance(item[key], dict) else {}
        yield key, outcome
        for name, value in (item | inner).items():
            yield f"{key}.{name}", outcome
            yield from ((f"{key}.{name} {v}", outcome) for v in (value if isinstance(value, list) else [value]))
        if "state" in item:
            yield f"state {item['state']}", outcome
        yield from ((operator, outcome) for operator in _operators(item))


def _operators(value: Any) -> Iterator[str]:
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(key, str) and key.startswith("$"):
            yield key
        yield from _operators(below)


def _evalstone() -> set[str]:
    keys = {kind: _allowed("\n".join(evalstone_files.refused(**{"type": kind, UNKNOWN: 1}))) for kind in READERS}
    return {*READERS, *(f"{kind}.{key}" for kind in READERS for key in keys[kind] if key)}


def _shown_by_evalstone(one: Example) -> Shown:
    for result in one.sample.results:
        yield from _keys(result.kind, one.content["checks"][result.check], result)


def _connic() -> set[str]:
    decisions = _choices(connic_runs.refused({"approval_decisions": [{"tool": "f", "decision": UNKNOWN}]}))
    return {
        *(_allowed(connic_runs.refused({UNKNOWN: 1})) - {"name", "payload"}),  # which say what the run is asked
        *(f"child {key}" for key in _allowed(connic_runs.refused({"expected_child_agents": {"a": {UNKNOWN: 1}}}))),
        *(f"approval {key}" for key in _allowed(connic_runs.refused({"approval_decisions": [{UNKNOWN: 1}]}))),
        *(f"decision {decision}" for decision in decisions),
    }


def _shown_by_connic(one: Example) -> Shown:
    test, kinds = one.content, {r.kind for r in one.sample.results}
    for key in test:
        if key in ("runs", "success_threshold"):
            yield key, "pass" if one.verdict == "passed" else "fail"
        elif key in kinds:
            yield key, _of_kind(one, key)
        elif key in one.notices:
            yield key, NOT_APPLICABLE
    for body in test.get("expected_child_agents", {}).values():
        yield from ((f"child {key}", _of_kind(one, "expected_child_agents")) for key in body)
    answered = _of_kind(one, "approval_decisions")
    if "strict_approval_decisions" in test:
        yield "strict_approval_decisions", answered
    for entry in test.get("approval_decisions", ()):
        yield from ((f"approval {key}", answered) for key in entry)
        yield f"decision {entry['decision']}", answered


ASKED = "asks a model, and none is asked here; what comes of its answer is tested in tests/grader/judge and tests/grader/checks"
LABEL = "waits for a person's label; what comes of one is tested in tests/grader/checks/test_human.py"
CODE = "the author's code, not run unless that is allowed; see tests/grader/checks/test_python.py"
PEOPLE = "a sentence for people, which nothing can decide"
CONTROL = "for the live runner (S3-22, S3-48); a notice says so"
MOCKED = ("", "hook_", "middleware_", "guardrail_")
RAG = ("rag.faithfulness", "rag.context_relevance", "rag.answer_relevance")

KNOWN = {
    "agentlasso": Vocabulary(
        _lasso,
        _shown_by_lasso,
        {"llm_judge": ("not_graded", ASKED), "rubric": ("not_graded", PEOPLE)},
    ),
    "scenario": Vocabulary(_scenario, _shown_by_scenario, {}),
    "evalstone": Vocabulary(
        _evalstone,
        _shown_by_evalstone,
        {
            **dict.fromkeys(("judge", *RAG, "comparison.pairwise"), ("error", ASKED)),
            "human": ("error", LABEL),
            "python": ("", "no file can hold a function (S2-22): refused"),
            "trajectory.tool_called.args": ("", "no file can hold a predicate (S2-41): refused"),
        },
    ),
    "connic": Vocabulary(
        _connic,
        _shown_by_connic,
        dict.fromkeys(
            ("builder", "builder_args", "files", "mocks", "timeout_s", *(f"strict_{what}mocks" for what in MOCKED)),
            (NOT_APPLICABLE, CONTROL),
        ),
    ),
    "expectations": Vocabulary(_expectations, _shown_by_expectations, {}),
    "native": Vocabulary(
        _native,
        _shown_by_native,
        {
            **dict.fromkeys(("judge", "rag", "compare"), ("not_graded", ASKED)),
            "human": ("not_graded", LABEL),
            "python": ("not_graded", CODE),
            "note": ("not_graded", PEOPLE),
        },
    ),
}
