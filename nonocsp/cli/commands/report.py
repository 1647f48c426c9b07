"""``nonocsp report``: the results of campaigns, for people, papers and other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import OUTPUT, AsJson

if TYPE_CHECKING:
    from nonocsp.bench.report import Digest

EPILOG = epilog(
    "nonocsp report results/tcga",
    "nonocsp report --format terminal results/tcga",
    "nonocsp report --by cpu results/tcga",
    "nonocsp report --format svg --output figures results/tcga",
    "nonocsp report --format markdown results/before results/after",
    exits={
        ExitCode.FINE: "no contradictions, and nothing got worse",
        ExitCode.NEGATIVE: "contradictions, wrong answers or regressions",
    },
    see=("bench", "results"),
)


class Format(StrEnum):
    """What a report can be: printed in the terminal, or what `nonocsp.bench.report.write_files` writes."""

    TERMINAL = "terminal"
    HTML = "html"
    MARKDOWN = "markdown"
    CSV = "csv"
    PNG = "png"
    SVG = "svg"


class Time(StrEnum):
    """Which time scores are about."""

    WALL = "wall"
    CPU = "cpu"


_Folders = Annotated[
    list[Path],
    typer.Argument(
        metavar="FOLDER...", help="Folders that nonocsp bench wrote; each is compared with the first."
    ),
]
_Format = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="What to write.  [default: tables in the terminal and an HTML page]",
        rich_help_panel=OUTPUT,
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help="File for html and markdown, folder for csv, png and svg.  [default: in the last FOLDER; "
        "markdown is printed]",
        rich_help_panel=OUTPUT,
    ),
]
_By = Annotated[Time, typer.Option("--by", help="Time that scores, pairs and comparisons are about.")]
_Pair = Annotated[
    str | None,
    typer.Option(
        "--pair", metavar="SPEC,SPEC", help="Backends of the scatter plot.  [default: those that decide most]"
    ),
]


def report(
    folders: _Folders,
    *,
    format: _Format = None,
    output: _Output = None,
    pair: _Pair = None,
    by: _By = Time.WALL,
    as_json: AsJson = False,
) -> None:
    """Report on campaigns: scores, pairs, disagreements, changes.

    Each further campaign is compared with the first; a campaign may still be running. Contradictions between
    backends, wrong answers and regressions come first and make the exit code 1.
    """
    from nonocsp.bench.report import Digest
    from nonocsp.bench.report.export import to_markdown, to_records
    from nonocsp.bench.store import read_campaign
    from nonocsp.model import UsageError

    if as_json and (format or output):
        raise UsageError("--json does not go with --format or --output")
    if output and format is Format.TERMINAL:
        raise UsageError("--output does not go with --format terminal, which prints")
    if pair and format not in (Format.PNG, Format.SVG):
        raise UsageError("--pair needs --format png or svg; on the HTML page the reader chooses")
    digest = Digest.of([read_campaign(folder) for folder in folders], by.value)
    if as_json:
        for record in to_records(digest):
            print(json.dumps(record))
    elif format is None:
        _print_tables(digest)
        _write(digest, Format.HTML, folders, output)
    elif format is Format.TERMINAL:
        _print_tables(digest)
    elif format is Format.MARKDOWN and output is None:
        print(to_markdown(digest), end="")
    else:
        _write(digest, format, folders, output, pair)
    is_fine = digest.is_sound and not digest.regressions
    raise typer.Exit(ExitCode.FINE if is_fine else ExitCode.NEGATIVE)


def _write(
    digest: Digest, format: Format, folders: Sequence[Path], output: Path | None, pair: str | None = None
) -> None:
    """Write the report to `output` or into the last campaign's folder; print its path."""
    from nonocsp.backends.registry import split_specs
    from nonocsp.bench.report import write_files
    from nonocsp.model import UsageError

    specs = tuple(split_specs(pair)) if pair is not None else None
    if specs is not None and len(specs) != 2:
        raise UsageError(f"--pair takes two backends such as sat,cpsat, not {pair!r}")
    page = "report.html" if len(folders) == 1 else "comparison.html"
    name = {Format.HTML: page, Format.CSV: "tables"}.get(format, "plots")
    for path in write_files(digest, format, output or folders[-1] / name, specs):
        typer.echo(f"report: {path}")


def _print_tables(digest: Digest) -> None:
    """Print all tables; warnings go to standard error."""
    from nonocsp.bench.report.terminal import terminal_tables
    from nonocsp.cli.shared.console import print_table

    for warning in digest.warnings:
        typer.echo(printable(f"warning: {warning}"), err=True)
    for table in terminal_tables(digest):
        print_table(table)
        print()
