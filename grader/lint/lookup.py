"""Looks up the names of a suite: what no trace has ever shown is a warning, what a manifest rules out an error (S4-16)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.case import Case, Check, Suite
from grader.lint.manifest import Manifest
from grader.lint.seen import Names
from grader.names import Mention, Named, mentions
from grader.nearest import nearest
from grader.syntax.mistakes import Mistake

MOST_LISTED = 8
"""Names that a message lists."""


@dataclass(slots=True)
class Found:
    """What the look-up of one suite found."""

    errors: list[Mistake] = field(default_factory=list)
    warnings: list[Mistake] = field(default_factory=list)


def look_up(suite: Suite, seen: Names | None, manifest: Manifest | None) -> Found:
    """Every name once a check; a name that is out of reach is not looked for in the traces as well."""
    found = Found()
    root = suite.select.agent
    if root is not None:
        selected = Mistake(suite.path, 1, "select.agent", "")
        _selected(selected, root, seen, manifest, found)
    for case, check in _checks(suite):
        place = Mistake(
            suite.path, check.line or case.line or 1, f"case {case.name!r}, check {check.position} ({check.kind})", ""
        )
        for mention in dict.fromkeys(mentions(check.primitive)):
            known_root = root if manifest is None or root in manifest.agents else None
            if manifest is not None and _unreachable(place, mention, known_root, manifest, found):
                continue
            if seen is not None and not seen.have(mention.named):
                found.warnings.append(_at(place, _never_seen(mention.named, seen)))
    return found


def _checks(suite: Suite) -> Iterator[tuple[Case, Check]]:
    for case in suite.cases:
        yield from ((case, check) for check in (*case.when, *case.expect))


def _selected(place: Mistake, root: str, seen: Names | None, manifest: Manifest | None, found: Found) -> None:
    named = Named("agent", root)
    if manifest is not None and root not in manifest.agents:
        found.errors.append(_at(place, manifest.unknown_agent(root)))
    elif seen is not None and not seen.have(named):
        found.warnings.append(_at(place, _never_seen(named, seen)))


def _unreachable(place: Mistake, mention: Mention, root: str | None, manifest: Manifest, found: Found) -> bool:
    """Whether the manifest has something to say against a name."""
    reach = manifest.reach(mention, root)
    named = mention.named
    if reach.names.have(named):
        return False
    who = mention.path[-1] if mention.path else root or "any agent"
    what = "is no delegate of" if named.kind == "agent" else "cannot be reached by"
    message = f"the {named.kind} {named.name!r} {what} {who}{_instead(named.name, reach.names.of(named.kind))}"
    if reach.blind:
        message += f"; {', '.join(reach.blind)} may have it, whom {manifest.path} does not describe"
        found.warnings.append(_at(place, message))
    else:
        found.errors.append(_at(place, message))
    return True


def _instead(name: str, known: Sequence[str]) -> str:
    """The nearest name; where nothing comes close, what there is."""
    near = nearest(name, known)
    if near or not known:
        return near
    return f"; there are {', '.join(known[:MOST_LISTED])}{' …' if len(known) > MOST_LISTED else ''}"


def _never_seen(named: Named, seen: Names) -> str:
    return f"no stored trace has shown the {named.kind} {named.name!r}{nearest(named.name, seen.of(named.kind))}"


def _at(place: Mistake, message: str) -> Mistake:
    return Mistake(place.path, place.line, place.field, message)
