"""Whether any rule may find something in a text: one expression for all rules, which RE2 reads in one pass.

It may be wrong in saying yes, never in saying no.
"""

import re
from collections.abc import Iterable, Sequence

import re2

from collector.redact.rules import Rule
from collector.redact.secrets import SECRETS

_BUILT_IN = frozenset(secret.name for secret in SECRETS)


class Scan:
    """Looks for what these rules speak about, in values and in the JSON texts that hold them."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        expression = "|".join(f"(?:{part})" for rule in rules for part in _needles(rule))
        options = re2.Options()
        options.never_capture = True
        self._found = re2.compile(expression.encode(), options) if expression else None
        # The built-in expressions are made to hold in escaped JSON as well; of the user's own nobody knows.
        self._unescape = any(rule.pattern for rule in rules if rule.name not in _BUILT_IN)
        self._anchored = any(_ANCHORS.search(rule.pattern or "") for rule in rules if rule.name not in _BUILT_IN)

    def may_find(self, text: str) -> bool:
        """False: no rule changes anything of it."""
        return self.may_find_in(text.encode("utf-8", "surrogatepass"))

    def may_find_in(self, raw: bytes | memoryview) -> bool:
        """The same of texts in UTF-8, one after the other."""
        if self._found is None:
            return False
        if self._anchored:
            return True
        if self._found.search(raw) is not None:
            return True
        if not self._unescape:
            return False
        held = bytes(raw)
        return b"\\" in held and self._found.search(_unescaped(held)) is not None


_ANCHORS = re.compile(r"\^|\$|\\A|\\z|\\x|\\n|\\r|\\t|\\v|\\f|\\\\")
"""In an expression: what may hold in a value and not where the value stands in JSON. Then every row is looked at."""


def _needles(rule: Rule) -> Iterable[str]:
    """What stands in a row's texts wherever the rule may apply: an expression of RE2."""
    if rule.place is None:
        yield rule.pattern or ""
        return
    named = re2.escape((rule.named or "").replace("\\", "").replace('"', ""))
    if rule.place == "prefix":
        yield rf'"{named}'
    elif rule.place == "glob":
        parts = re.split(r"(\*|\?|\[[^\]]*\])", rule.named or "")
        yield '"' + "".join(re2.escape(p) if n % 2 == 0 else '[^"]*' for n, p in enumerate(parts)) + r'\\*"\s*:'
    else:
        yield rf'"{named}\\*"\s*:'


def _unescaped(raw: bytes) -> bytes:
    """JSON in JSON about as it reads: ends of lines as spaces, no escapes."""
    return raw.replace(b"\\n", b" ").replace(b"\\t", b" ").replace(b"\\r", b" ").translate(None, b"\\")
