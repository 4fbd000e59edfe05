"""`tracegrade token`: tokens made, listed and revoked, in the store or through the collector that has it open."""

import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from collector.cli.opening import StoreOption, fail, opened

token = typer.Typer(no_args_is_help=True, help="Make, list and revoke the tokens of exporters and of remote readers.")

JsonOption = Annotated[bool, typer.Option("--json", help="JSON, for machines.")]

LONGEST = timedelta(days=36_500)


@token.command()
def create(
    ctx: typer.Context,
    scope: Annotated[str, typer.Option(metavar="ingest|read", help="Write spans and logs, or read: never both.")],
    name: Annotated[str, typer.Option(help="What it is for, to know it again in the list.")] = "",
    expires: Annotated[str | None, typer.Option(metavar="30d", help="How long it is good (s, m, h, d, w).")] = None,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Make a token and print it, this once: only its hash is stored. It is good at once, also with a running collector."""
    from collector.access import table
    from collector.access.tokens import Token, digest, new_id, new_secret

    if scope != "ingest" and scope != "read":  # noqa: PLR1714 -- so that the type of the scope is seen
        fail(f"{scope} is no scope of a token: choose --scope ingest or --scope read.")
    length = _length(expires)
    now = int(datetime.now(UTC).timestamp() * 1e9)
    secret = new_secret(scope)
    made = Token(
        new_id(), scope, digest(secret), now, name, now + int(length.total_seconds() * 1e9) if length else None
    )
    with opened(ctx, store, create=True) as found:
        found.append(table.made(made), f"token-{made.id}")
    if json:
        _print({"token": secret, **_facts(made, now)})
        return
    print(secret)  # noqa: T201 -- alone on standard output: TOKEN=$(tracegrade token create …)
    print(_advice(scope, made.id), file=sys.stderr)  # noqa: T201


@token.command("list")
def listed(ctx: typer.Context, store: StoreOption = None, json: JsonOption = False) -> None:
    """List all tokens of the store: id, scope, name, state, times. Those in files of tokens are not in the store."""
    tokens, now = _tokens(ctx, store), int(datetime.now(UTC).timestamp() * 1e9)
    facts = [_facts(one, now) for one in tokens]
    if json:
        for one in facts:
            _print(one)
        return
    from collector.cli.render.screen import screen
    from collector.cli.render.table import rows

    if not facts:
        typer.echo("This store has no tokens.")
        return
    console = screen()
    for part in rows(list(facts[0]), [list(one.values()) for one in facts], console.width):
        console.print(part)


@token.command()
def revoke(
    ctx: typer.Context,
    which: Annotated[str, typer.Argument(metavar="ID|NAME", help="As the list shows it.")],
    store: StoreOption = None,
) -> None:
    """Revoke a token. A running collector refuses it from this moment on."""
    from collector.access import table

    with opened(ctx, store) as found:
        tokens = table.read(found.query(table.TOKENS))
        chosen = [one for one in tokens if one.id == which] or [
            one for one in tokens if which and one.name == which and one.revoked is None
        ]
        if not chosen:
            fail(f"There is no token {which}; `tracegrade token list` shows them.")
        if len(chosen) > 1:
            fail(f"{len(chosen)} tokens are called {which}; name one by its id: {', '.join(one.id for one in chosen)}.")
        if chosen[0].revoked is None:
            found.append(table.revoked(chosen[0].id), f"token-revoked-{chosen[0].id}")
    typer.echo(f"The token {chosen[0].id} is revoked.")


def _tokens(ctx: typer.Context, store: str | None) -> list[Any]:
    from collector.access import table

    with opened(ctx, store) as found:
        return table.read(found.query(table.TOKENS))


def _length(expires: str | None) -> timedelta | None:
    from collector.durations import length

    if expires is None:
        return None
    try:
        found = length(expires)
    except OverflowError:
        found = None
    if found is None or not timedelta() < found <= LONGEST:
        fail(f"{expires} is no time that a token could last: write 12h, 30d or 52w.")
    return found


def _facts(one: Any, now: int) -> dict[str, Any]:
    return {
        "id": one.id,
        "scope": one.scope,
        "name": one.name,
        "state": one.state(now),
        "created": _time(one.created),
        "expires": _time(one.expires),
        "revoked": _time(one.revoked),
    }


def _time(nanoseconds: int | None) -> str | None:
    return None if nanoseconds is None else f"{datetime.fromtimestamp(nanoseconds // 10**9, UTC):%Y-%m-%d %H:%M:%SZ}"


def _advice(scope: str, token_id: str) -> str:
    how = (
        'Exporters send it: OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20TOKEN"'
        if scope == "ingest"
        else "Readers name the collector's address with --store and set TRACEGRADE_READ_TOKEN"
    )
    return f"This is shown once. {how}. Revoke it with `tracegrade token revoke {token_id}`."


def _print(value: dict[str, Any]) -> None:
    import orjson

    sys.stdout.buffer.write(orjson.dumps(value) + b"\n")
