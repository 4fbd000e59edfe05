"""From the settings `redact` and `redact_secrets` to what is done with arriving rows."""

from collector.config import Settings
from collector.redact.rows import Redactor
from collector.redact.rules import rules


def redactor(settings: Settings) -> Redactor | None:
    """What takes out what the settings say; None where they say nothing. Raises BadRules."""
    found = rules(settings.redact, secrets=settings.redact_secrets)
    return Redactor(found) if found.rules else None
