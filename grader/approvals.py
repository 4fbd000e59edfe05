"""What checks on approvals share."""

from collector.tree import Approval


def waited(approval: Approval) -> bool:
    """Whether somebody's answer was waited for: all but what a policy granted by itself. A denial always is an answer."""
    return not (approval.decision == "approve" and approval.source in ("policy", "auto"))


ABOUT_NO_TOOL = frozenset({"loop", "budget"})
"""Kinds of approvals that ask whether to go on: they have no name, and none is missing."""
