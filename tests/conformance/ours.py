"""The items' endpoint over a collector of our own, and more of them with other settings."""

from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path

from collector.config import Settings
from tests.conformance.own import Own, own
from tests.conformance.target import Target


@contextmanager
def ours(folder: Path) -> Generator[Target]:
    """A target whose inside can be seen. Further collectors are started at their first use, one for each set of settings."""
    with ExitStack() as stack:
        known: dict[str, Target] = {}

        def another(**settings: object) -> AbstractContextManager[Target]:
            return _borrowed(known, stack, folder, settings)

        target = _target(stack.enter_context(own(folder / "first")))
        stack.callback(target.close)
        target.another = another
        if "ingest_token_file" in {setting.name for setting in fields(Settings)}:
            target.tokens = folder / "tokens"
            target.tokens.write_text("conformance-" + "0" * 32)
        yield target


@contextmanager
def _borrowed(
    known: dict[str, Target], stack: ExitStack, folder: Path, settings: dict[str, object]
) -> Generator[Target]:
    name = repr(sorted(settings.items()))
    if name not in known:
        known[name] = _target(stack.enter_context(own(folder / f"more-{len(known)}", **settings)))
        stack.callback(known[name].close)
    yield known[name]


def _target(of: Own) -> Target:
    return Target(of.url, f"127.0.0.1:{of.grpc}", inside=of)
