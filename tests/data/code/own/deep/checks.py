"""A module in a folder without an `__init__`."""


def fine(reply):
    return True
