"""The composition root: the `tracegrade` command, the collector's commands and the grader's in one.

Heavy things are imported inside the commands, so that `tracegrade --help` answers at once.
"""

import io
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from collector import UserError, __version__, commands
from grader.people.commands import agreement, label
from grader.shared_options import (
    AllowCodeOption,
    FormatOption,
    JudgeModelOption,
    MaxJudgeCallsOption,
    MaxJudgeUsdOption,
    StoreOption,
)

_FIRST = ("serve", "load", "runs", "show", "sql", "trees", "grade", "lint", "explain", "label", "agreement")


class _InOrder(TyperGroup):
    """Lists commands as one meets them: traces come in, one looks at them, one judges them; then the rest."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 -- the library names it
        return sorted(self.commands, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))


app = typer.Typer(
    name="tracegrade", cls=_InOrder, no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False
)
app.add_typer(commands)

SuitesArgument = Annotated[list[Path], typer.Argument(help="Suite files.", metavar="SUITE...")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tracegrade {__version__}")
        raise typer.Exit


@app.callback()
def tracegrade(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Point an agent's OTLP exporter at a port, ask its traces in SQL, gate a release on what agents did."""
    from grader.results import extension  # noqa: PLC0415

    ctx.obj = (extension(),)  # every command, also the collector's, opens stores with the grader's tables


@app.command()
def grade(
    ctx: typer.Context,
    suite: SuitesArgument,
    store: StoreOption = None,
    since: Annotated[str | None, typer.Option(help="Runs started since: 24h, 30m, 7d, or an ISO time.")] = None,
    trace: Annotated[str | None, typer.Option(help="Only this run, or the run of this trace.", metavar="ID")] = None,
    batch: Annotated[str | None, typer.Option(help="Only runs of this batch.", metavar="ID")] = None,
    include_open: Annotated[bool, typer.Option("--include-open", help="Runs that may still grow count too.")] = False,
    context: Annotated[
        Path | None, typer.Option(help="Facts of the fixtures, by case name, run id or trace id.", metavar="FILE")
    ] = None,
    tenant_gate: Annotated[
        bool, typer.Option("--tenant-gate", help="Leave out cases that approve or edit for a person.")
    ] = False,
    latest: Annotated[
        bool, typer.Option("--latest", help="Of a case that asks for a number of samples, only the newest runs.")
    ] = False,
    allow_code: AllowCodeOption = False,
    judge_model: JudgeModelOption = None,
    max_judge_usd: MaxJudgeUsdOption = None,
    max_judge_calls: MaxJudgeCallsOption = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Neither use verdicts given before nor keep new ones.")
    ] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask judges again, and keep what they say.")] = False,
    judge_batch: Annotated[
        bool,
        typer.Option(
            "--judge-batch", help="Ask over the Message Batches API: half the price, hours instead of seconds."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what judges would cost at most; ask nobody, record nothing.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
    junit: Annotated[Path | None, typer.Option(help="Also write JUnit XML to this file.", metavar="FILE")] = None,
    format: FormatOption = None,  # noqa: A002
) -> None:
    """Grade stored runs against suites. Exit code 0: the gate passed, 1: it failed, 2: not gateable."""
    from grader import commands as work  # noqa: PLC0415

    asked = work.Asked(
        since=since,
        one=trace,
        batch=batch,
        include_open=include_open,
        context=context,
        tenant_gate=tenant_gate,
        latest=latest,
        allow_code=allow_code,
        judges=work.AskedJudges(
            model=judge_model,
            max_usd=max_judge_usd,
            max_calls=max_judge_calls,
            no_cache=no_cache,
            refresh=refresh,
            dry_run=dry_run,
            batch=judge_batch,
        ),
    )
    raise typer.Exit(work.grade(suite, store, asked, ctx.obj, as_json=json, junit=junit, format_name=format))


@app.command()
def lint(
    ctx: typer.Context,
    suite: Annotated[list[Path] | None, typer.Argument(help="Suite files.", metavar="SUITE...")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="PATH|URL", help="Warn of names that no trace in this store has shown.")
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Agents with their tools: names out of reach are errors.")
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of native suites, for editors.")
    ] = False,
    allow_code: AllowCodeOption = False,
    format: FormatOption = None,  # noqa: A002
) -> None:
    """Check suite files: all mistakes at once, each with its file, line and field. Warnings end 0, errors 2."""
    from grader import commands as work  # noqa: PLC0415

    if not suite and not schema:
        raise UserError("Name a suite file, or ask for --schema.")
    against = work.Against(store=store, manifest=manifest)
    found = work.lint(suite or [], against, ctx.obj, schema=schema, format_name=format, allow_code=allow_code)
    raise typer.Exit(found)


@app.command()
def explain(
    suite: SuitesArgument,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of a tree.")] = False,
    allow_code: AllowCodeOption = False,
    format: FormatOption = None,  # noqa: A002
) -> None:
    """Show what will be graded: each case with its matching, each check with its policy and every parameter."""
    from grader import commands as work  # noqa: PLC0415

    raise typer.Exit(work.explain(suite, as_json=json, format_name=format, allow_code=allow_code))


app.command()(label)
app.command()(agreement)


@app.command()
def doctor(
    ctx: typer.Context,
    store: StoreOption = None,
    service: Annotated[str | None, typer.Option(help="Only this service.")] = None,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Say what each service's traces can show, what would make them show more, and which checks they cannot decide."""
    from grader.doctor import doctor as look  # noqa: PLC0415

    raise typer.Exit(look(store, service, ctx.obj, as_json=json))


@app.command()
def demo() -> None:
    """Run a collector, an example agent, a query and a graded suite, and explain what happens."""
    from grader.demo import demo as run  # noqa: PLC0415

    run()


def main() -> None:
    """The `tracegrade` command. What the user has to do something about ends in a message and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without UTF-8 must not end in a traceback
    try:
        app()
    except Exception as error:
        from collector import StoreError, printable  # noqa: PLC0415

        if not isinstance(error, UserError | StoreError):
            raise
        typer.echo("tracegrade: " + "\n".join(map(printable.clean, str(error).splitlines())), err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
