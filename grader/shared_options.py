"""Options that several commands take, each written once."""

from typing import Annotated

import typer

StoreOption = Annotated[
    str | None, typer.Option(metavar="PATH|URL", help="The store's file, or a collector's address.")
]
FormatOption = Annotated[str | None, typer.Option(help="The format of the suites, where their content does not tell.")]
AllowCodeOption = Annotated[
    bool, typer.Option("--allow-code", help="Run Python functions that the suites name: their author's code, as you.")
]
JudgeModelOption = Annotated[
    str | None, typer.Option(help="Who judges where neither check nor suite says so.", metavar="MODEL")
]
MaxJudgeUsdOption = Annotated[
    float | None, typer.Option(help="Ask judges no more once this much is spent.", metavar="USD", min=0)
]
MaxJudgeCallsOption = Annotated[int | None, typer.Option(help="Ask judges no more than so often.", metavar="N", min=0)]
