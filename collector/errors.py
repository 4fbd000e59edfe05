"""Errors for people: what is wrong, where, and what to do. Never with a traceback, never with data of users."""


class UserError(Exception):
    """Something that the person who ran a command can put right. The text is ready to be printed."""

    exit_code = 2


class PortInUseError(UserError):
    """A port to listen on is taken."""
