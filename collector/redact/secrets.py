"""What is a secret beyond doubt, by its own shape: a small set, since a false alarm hides evidence.

Each shape is one that its issuer chose to be recognised by. Left out are passwords, hex digests and random-looking texts:
their shapes are those of ids.
"""

from typing import NamedTuple


class Secret(NamedTuple):
    """A kind of secret: its name in marks, and its pattern (RE2), of which the group `secret` is masked where it has one."""

    name: str
    pattern: str


_START = r"(?:^|[^A-Za-z0-9]|\\[nrt])"
"""A token begins after what is no part of it, or after an escaped end of line: it may stand in JSON within JSON."""

SECRETS = (
    Secret(
        "private-key",
        r"-----BEGIN [A-Z ]{0,24}PRIVATE KEY(?: BLOCK)?-----(?:[^-]*-----END [A-Z ]{0,24}PRIVATE KEY(?: BLOCK)?-----|[^-]*)",
    ),
    Secret(
        "openai-key",
        _START + r"(?P<secret>sk-(?:proj|svcacct|admin|ant-[a-z0-9]{3,10})-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{40,})",
    ),
    Secret("github-token", _START + r"(?P<secret>gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})"),
    Secret("gitlab-token", _START + r"(?P<secret>glpat-[A-Za-z0-9_-]{20,})"),
    Secret("aws-key", _START + r"(?P<secret>(?:AKIA|ASIA)[0-9A-Z]{16})\b"),
    Secret("google-key", _START + r"(?P<secret>AIza[0-9A-Za-z_-]{35})"),
    Secret("slack-token", _START + r"(?P<secret>xox[abeprs]-[0-9]{6,}-[A-Za-z0-9-]{10,})"),
    Secret("stripe-key", _START + r"(?P<secret>[rs]k_live_[0-9A-Za-z]{20,})"),
    Secret("jwt", _START + r"(?P<secret>eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,})"),
    Secret("bearer-token", r"(?i:bearer)[ ]+(?P<secret>[A-Za-z0-9._~+/-]{20,}=*)"),
    Secret("url-password", r"[a-z][a-z0-9+.-]{1,20}://[^/\s:@\"'\\]{1,64}:(?P<secret>[^/\s:@\"'\\]{3,128})@"),
)
"""The built-in set."""
