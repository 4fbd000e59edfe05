"""`tracegrade instrument`: how a framework sends its traces here with content."""

from typing import Annotated, Any

import typer

from collector.cli.opening import told


def instrument(
    framework: Annotated[
        str | None,
        typer.Argument(metavar="[FRAMEWORK]", help="One of the list that comes without it.", show_default=False),
    ] = None,
) -> None:
    """Print what makes a framework send its traces here with content; alone, list the frameworks."""
    with told():
        from collector import config
        from collector.cli.instrumentation import find, snippets

        settings = config.load().settings
        snippet = find(framework) if framework is not None else None
    if snippet is None:
        _list(list(snippets().values()))
        return
    grpc, http = (_address(settings.host, port) for port in (settings.grpc_port, settings.http_port))
    typer.echo(f"# {snippet.title}, instrumentation: {snippet.by}\n")
    typer.echo(snippet.printed(grpc, http), nl=False)
    if snippet.lacks:
        typer.echo(f"\nIts traces do not hold {snippet.lacks}.")


def _list(found: list[Any]) -> None:
    from collector.cli.render.screen import screen
    from collector.cli.render.table import rows

    console, columns = screen(), ("name", "framework", "instrumentation", "content by default")
    for part in rows(columns, [(s.name, s.title, s.by.replace("`", ""), s.content) for s in found], console.width):
        console.print(part)


def _address(host: str, port: int) -> str:
    """Where exporters on this machine reach the collector; with port 0 only its ready line knows."""
    everywhere = {"127.0.0.1", "0.0.0.0", "::", "::1"}  # noqa: S104 -- not bound here: told as localhost
    shown = "localhost" if host in everywhere else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port or 'PORT'}"
