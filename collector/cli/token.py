"""`tracegrade token`: tokens made, listed and revoked, in the store or through the collector that has it open."""

import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from collector.cli.opening import StoreOption, fail, opened

token = typer.Typer(
    no_args_is_help=True, help="Make, list, limit and revoke the tokens of exporters and of remote readers."
)

JsonOption = Annotated[bool, typer.Option("--json", help="JSON, for machines.")]

RateOption = Annotated[
    str | None,
    typer.Option("--max-bytes-per-second", metavar="5MB", help="What it may send a second; 0: all it likes."),
]
HeldOption = Annotated[
    str | None,
    typer.Option(
        "--max-in-flight-bytes", metavar="32MB", help="What it may have in memory at a time; 0: all it likes."
    ),
]

LONGEST = timedelta(days=36_500)

_LIMITS = ("bytes_per_second", "in_flight_bytes")


@token.command()
def create(
    ctx: typer.Context,
    scope: Annotated[str, typer.Option(metavar="ingest|read", help="Write spans and logs, or read: never both.")],
    name: Annotated[str, typer.Option(help="What it is for, to know it again in the list.")] = "",
    expires: Annotated[str | None, typer.Option(metavar="30d", help="How long it is good (s, m, h, d, w).")] = None,
    rate: RateOption = None,
    held: HeldOption = None,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Make a token and print it, this once: only its hash is stored. It is good at once, also with a running collector."""
    from collector.access import table
    from collector.access.tokens import Token, digest, new_id, new_secret

    if scope != "ingest" and scope != "read":  # noqa: PLR1714 -- so that the type of the scope is seen
        fail(f"{scope} is no scope of a token: choose --scope ingest or --scope read.")
    length, bytes_per_second, in_flight_bytes = _length(expires), _size(rate), _size(held)
    if scope == "read" and (rate or held):
        fail("Limits of bytes are for ingest tokens.")
    now = int(datetime.now(UTC).timestamp() * 1e9)
    secret = new_secret(scope)
    made = Token(
        id=new_id(),
        scope=scope,
        digest=digest(secret),
        created=now,
        name=name,
        expires=now + int(length.total_seconds() * 1e9) if length else None,
        bytes_per_second=bytes_per_second,
        in_flight_bytes=in_flight_bytes,
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
    unlimited = {name for name in _LIMITS if all(one[name] is None for one in facts)}
    facts = [{name: value for name, value in one.items() if name not in unlimited} for one in facts]
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
        chosen = _chosen(found, which)
        if chosen.revoked is None:
            found.append(table.revoked(chosen.id), f"token-revoked-{chosen.id}")
    typer.echo(f"The token {chosen.id} is revoked.")


@token.command()
def limit(
    ctx: typer.Context,
    which: Annotated[str, typer.Argument(metavar="ID|NAME", help="As the list shows it.")],
    rate: RateOption = None,
    held: HeldOption = None,
    store: StoreOption = None,
) -> None:
    """Set what an exporter may send. What is not named stays as it is; a running collector keeps to it from now on."""
    from collector.access import table
    from collector.access.tokens import new_id

    if rate is None and held is None:
        fail("Say what to limit: --max-bytes-per-second 5MB, --max-in-flight-bytes 32MB, or both.")
    bytes_per_second, in_flight_bytes = _size(rate), _size(held)
    with opened(ctx, store) as found:
        chosen = _chosen(found, which)
        if chosen.scope != "ingest":
            fail(f"The token {chosen.id} is for reading; limits of bytes are for ingest tokens.")
        rows = table.limited(
            chosen.id,
            chosen.bytes_per_second if rate is None else bytes_per_second,
            chosen.in_flight_bytes if held is None else in_flight_bytes,
        )
        found.append(rows, f"token-limited-{chosen.id}-{new_id()}")
    typer.echo(f"The token {chosen.id} is limited.")


def _chosen(store: Any, which: str) -> Any:
    """The one token of this id, or of this name among those not revoked."""
    from collector.access import table

    tokens = table.read(store.query(table.TOKENS))
    chosen = [one for one in tokens if one.id == which] or [
        one for one in tokens if which and one.name == which and one.revoked is None
    ]
    if not chosen:
        fail(f"There is no token {which}; `tracegrade token list` shows them.")
    if len(chosen) > 1:
        fail(f"{len(chosen)} tokens are called {which}; name one by its id: {', '.join(one.id for one in chosen)}.")
    return chosen[0]


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


def _size(text: str | None) -> int | None:
    from collector import amounts

    try:
        return None if text is None else amounts.size(text)
    except ValueError as wrong:
        fail(f"{wrong}.")


def _facts(one: Any, now: int) -> dict[str, Any]:
    return {
        "id": one.id,
        "scope": one.scope,
        "name": one.name,
        "state": one.state(now),
        "created": _time(one.created),
        "expires": _time(one.expires),
        "revoked": _time(one.revoked),
        "bytes_per_second": one.bytes_per_second,
        "in_flight_bytes": one.in_flight_bytes,
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
