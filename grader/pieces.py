"""Finds pieces (checks, suite formats, report formats) by scanning a folder: adding one is adding a file."""

import importlib
import pkgutil
from functools import cache
from typing import Any


@cache
def scan(package: str, attribute: str) -> dict[str, Any]:
    """What each module of the package names under that attribute, by module name, in alphabetical order.

    Raises:
        AttributeError: a module there does not have it; a stray file stops the program rather than being passed over.
    """
    folder = importlib.import_module(package)
    names = sorted(module.name for module in pkgutil.iter_modules(folder.__path__))
    return {name: getattr(importlib.import_module(f"{package}.{name}"), attribute) for name in names}


def forms() -> dict[str, Any]:
    """The check forms by the key that names them in a suite."""
    return {form.KEY: form for family in scan("grader.checks", "FORMS").values() for form in family}
