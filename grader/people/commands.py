"""The commands `label` and `agreement`. Heavy things are imported inside them, so that `tracegrade --help` answers at once."""

from pathlib import Path
from typing import Annotated

import typer

from collector import UserError
from grader.shared_options import (
    AllowCodeOption,
    FormatOption,
    JudgeModelOption,
    MaxJudgeCallsOption,
    MaxJudgeUsdOption,
    StoreOption,
)


def label(
    ctx: typer.Context,
    suite: Annotated[
        list[Path] | None, typer.Argument(help="Suite files; without one all runs of the store.", metavar="SUITE...")
    ] = None,
    store: StoreOption = None,
    check: Annotated[str | None, typer.Option(help="The check that labels are verdicts of.", metavar="NAME")] = None,
    scale: Annotated[
        int | None, typer.Option(help="Ask for a level from 1 to N instead of pass or fail.", metavar="N", min=2)
    ] = None,
    labeler: Annotated[str | None, typer.Option(help="Who labels; else who is logged in.", metavar="NAME")] = None,
    limit: Annotated[int | None, typer.Option(help="Show no more than so many.", metavar="N", min=1)] = None,
    again: Annotated[bool, typer.Option("--again", help="Show outputs that have a label, too.")] = False,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the store's labels to this JSONL file.", metavar="FILE")
    ] = None,
    import_: Annotated[
        Path | None, typer.Option("--import", help="Take the labels of this JSONL file in.", metavar="FILE")
    ] = None,
    allow_code: AllowCodeOption = False,
    format: FormatOption = None,  # noqa: A002
) -> None:
    """Show runs one at a time and record what a person says: pass or fail, or a level, and a note."""
    from grader.people import labelling as work  # noqa: PLC0415

    files = [one for one in (export, import_) if one is not None]
    if len(files) > 1 or (files and suite):
        raise UserError("--export and --import move all labels of a store: name one of them, and no suite.")
    if export is not None:
        raise typer.Exit(work.export_labels(export, store, check, ctx.obj))
    if import_ is not None:
        raise typer.Exit(work.import_labels(import_, store, check, ctx.obj))
    asked = work.Asked(
        check=check or None,
        scale=scale,
        labeler=labeler,
        limit=limit,
        again=again,
        allow_code=allow_code,
        format_name=format,
    )
    raise typer.Exit(work.label(suite or [], store, asked, ctx.obj))


def agreement(
    ctx: typer.Context,
    suite: Annotated[list[Path], typer.Argument(help="Suite files.", metavar="SUITE...")],
    store: StoreOption = None,
    check: Annotated[
        str | None,
        typer.Option(help="Labels of this check ('': of none by name); else of the judge's own name.", metavar="NAME"),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask judges for verdicts that the store does not have.")] = False,
    judge_model: JudgeModelOption = None,
    max_judge_usd: MaxJudgeUsdOption = None,
    max_judge_calls: MaxJudgeCallsOption = None,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
    allow_code: AllowCodeOption = False,
    format: FormatOption = None,  # noqa: A002
) -> None:
    """Compare judges with people's labels on the same outputs: agreement, Cohen's kappa, and where they differ."""
    from grader.judge.judges import Limits  # noqa: PLC0415
    from grader.judge.options import JudgeOptions  # noqa: PLC0415
    from grader.people import comparing as work  # noqa: PLC0415

    limits = Limits(usd=max_judge_usd, calls=max_judge_calls) if ask else Limits(calls=0)
    judging = JudgeOptions(model=judge_model, limits=limits)
    asked = work.Asked(check=check, judging=judging, as_json=json, allow_code=allow_code, format_name=format)
    raise typer.Exit(work.compare(suite, store, asked, ctx.obj))
