"""tracegrade's collector: receives OTLP, stores it in DuckDB, rebuilds what agents did.

These names are for others; importing the package costs nothing, since each is loaded at its first use.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collector import config, durations, printable, tree, tree_text
    from collector.answer.open_store import connect
    from collector.cli import app as commands
    from collector.cli.diagnosis import diagnose
    from collector.cli.render.trees import write as show_trees
    from collector.errors import UserError
    from collector.store.errors import ReadOnly, StoreError
    from collector.store.extension import Extension, Quotes
    from collector.store.protocol import Store

__version__ = "0.1.0.dev0"

__all__ = [
    "Extension",
    "Quotes",
    "ReadOnly",
    "Store",
    "StoreError",
    "UserError",
    "__version__",
    "commands",
    "config",
    "connect",
    "diagnose",
    "durations",
    "printable",
    "show_trees",
    "tree",
    "tree_text",
]

_HOMES = {
    "Extension": "collector.store.extension",
    "Quotes": "collector.store.extension",
    "ReadOnly": "collector.store.errors",
    "Store": "collector.store.protocol",
    "StoreError": "collector.store.errors",
    "UserError": "collector.errors",
    "commands": "collector.cli",
    "config": "",
    "connect": "collector.answer.open_store",
    "diagnose": "collector.cli.diagnosis",
    "durations": "",
    "printable": "",
    "show_trees": "collector.cli.render.trees",
    "tree": "",
    "tree_text": "",
}
"""Where each public name lives; the empty ones are modules of this package."""

_CALLED = {"commands": "app", "show_trees": "write"}
"""What some of them are called there."""


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not home:
        return importlib.import_module(f"{__name__}.{name}")
    return getattr(importlib.import_module(home), _CALLED.get(name, name))
