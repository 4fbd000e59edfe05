"""The dialects, found by a scan of this folder: adding one is adding a file whose `DIALECT` is a table."""

import importlib
import pkgutil

from collector.normalize.dialect import Dialect


def _found() -> tuple[Dialect, ...]:
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return tuple(sorted((module.DIALECT for module in modules), key=lambda dialect: (dialect.rank, dialect.name)))


DIALECTS = _found()
"""In the order in which they speak: by rank, then by name."""
