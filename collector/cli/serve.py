"""`tracegrade serve`: the collector, until SIGTERM or Ctrl-C."""

from typing import Annotated

import typer

from collector.cli.opening import extensions, told


def serve(
    ctx: typer.Context,
    store: Annotated[str | None, typer.Option(metavar="PATH", help="The store's file; made if need be.")] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on. Default: this machine alone.")] = None,
    grpc_port: Annotated[int | None, typer.Option(help="OTLP/gRPC; 0 picks a free port. Default 4317.")] = None,
    http_port: Annotated[int | None, typer.Option(help="OTLP/HTTP; 0 picks a free port. Default 4318.")] = None,
    read_port: Annotated[int | None, typer.Option(help="Other commands read here. Default: a free port.")] = None,
    metrics: Annotated[
        str | None, typer.Option(metavar="drop|refuse", help="Accept metrics and keep none of them, or refuse them.")
    ] = None,
) -> None:
    """Receive OTLP (gRPC and HTTP) and store it. Prints one line when it is ready."""
    with told():
        from collector import config, service

        flags = {
            "store": store,
            "host": host,
            "grpc_port": grpc_port,
            "http_port": http_port,
            "read_port": read_port,
            "metrics": metrics,
        }
        service.serve(config.load(flags).settings, extensions(ctx))
