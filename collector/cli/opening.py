"""From `--store` to an open store, and from what can go wrong to a message and exit code 2."""

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn

import typer

StoreOption = Annotated[
    str | None, typer.Option(metavar="PATH|URL", help="The store's file, or the address of a collector's read server.")
]
"""The option that all reading commands share; None: what the settings say."""


MessagesOption = Annotated[
    bool, typer.Option("--messages", help="Each job's conversation, too. With --json it always stands there.")
]
"""The option of the commands that show trees."""


@contextmanager
def opened(ctx: typer.Context, store: str | None, *, create: bool = False) -> Generator[Any]:
    """The store while the block runs; without `create` it must exist. Errors end the command (`told`)."""
    with told():
        from collector import config
        from collector.answer.open_store import connect

        place = config.load({"store": store}).settings.store
        with connect(place, extensions=extensions(ctx), create=create) as found:
            yield found


def extensions(ctx: typer.Context) -> Sequence[Any]:
    """The store extensions of the program that mounted these commands."""
    return ctx.obj or ()


@contextmanager
def told() -> Generator[None]:
    """What the user can put right ends the command with its message and exit code 2, without a traceback."""
    try:
        yield
    except Exception as error:
        if not any(kind.__name__ in ("UserError", "StoreError") for kind in type(error).__mro__):
            raise
        fail(str(error))


def fail(message: str) -> NoReturn:
    """End the command with a message for people and exit code 2."""
    from collector.printable import clean

    print("tracegrade: " + "\n".join(map(clean, message.splitlines())), file=sys.stderr)  # noqa: T201 (it speaks)
    raise typer.Exit(2)
