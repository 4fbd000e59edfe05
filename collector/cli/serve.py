"""`tracegrade serve`: the collector, until SIGTERM or Ctrl-C."""

from typing import Annotated

import typer

from collector.cli.opening import extensions, told

TokensOption = Annotated[str | None, typer.Option(metavar="FILE", help="A file of tokens, one a line.")]


def serve(
    ctx: typer.Context,
    store: Annotated[str | None, typer.Option(metavar="PATH", help="The store's file; made if need be.")] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on. Default: this machine alone.")] = None,
    grpc_port: Annotated[int | None, typer.Option(help="OTLP/gRPC; 0 picks a free port. Default 4317.")] = None,
    http_port: Annotated[int | None, typer.Option(help="OTLP/HTTP; 0 picks a free port. Default 4318.")] = None,
    read_port: Annotated[int | None, typer.Option(help="Other commands read here. Default: a free port.")] = None,
    read_host: Annotated[
        str | None, typer.Option(help="Where readers on other machines read, with a token. Default: nowhere.")
    ] = None,
    ingest_token_file: TokensOption = None,
    read_token_file: TokensOption = None,
    tls_cert: Annotated[str | None, typer.Option(metavar="FILE", help="Certificate with its chain (PEM).")] = None,
    tls_key: Annotated[str | None, typer.Option(metavar="FILE", help="Its private key (PEM).")] = None,
    tls_client_ca: Annotated[
        str | None, typer.Option(metavar="FILE", help="Exporters must show a certificate signed by one of these.")
    ] = None,
    cors_origins: Annotated[
        str | None, typer.Option(metavar="ORIGIN,...", help="Web pages that may send to OTLP/HTTP.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Take spans from anybody, also from other machines.")
    ] = False,
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
            "read_host": read_host,
            "ingest_token_file": ingest_token_file,
            "read_token_file": read_token_file,
            "tls_cert": tls_cert,
            "tls_key": tls_key,
            "tls_client_ca": tls_client_ca,
            "cors_origins": cors_origins,
            "insecure": insecure or None,
        }
        service.serve(config.load(flags).settings, extensions(ctx))
