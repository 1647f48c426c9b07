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
    "nonocsp report --format pdf --output figures results/tcga",
    "nonocsp report results/tcga results/colour results/sizes",
    "nonocsp report --baseline results/before results/after",
    exits={
        ExitCode.FINE: "no contradictions, and nothing got worse",
        ExitCode.NEGATIVE: "contradictions, wrong answers, or regressions from the baseline",
    },
    see=("bench", "results"),
)


class Format(StrEnum):
    """What a report can be: printed in the terminal, or what `nonocsp.bench.report.write_files` writes."""

    TERMINAL = "terminal"
    HTML = "html"
    MARKDOWN = "markdown"
    CSV = "csv"
    PDF = "pdf"
    PNG = "png"
    SVG = "svg"


class Time(StrEnum):
    """Which time scores are about."""

    WALL = "wall"
    CPU = "cpu"


_Folders = Annotated[
    list[Path],
    typer.Argument(metavar="FOLDER...", help="Folders that nonocsp bench wrote; several are shown as one."),
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
        help="File for html and markdown, folder for csv, pdf, png and svg.  [default: in the last FOLDER; "
        "markdown is printed]",
        rich_help_panel=OUTPUT,
    ),
]
_By = Annotated[Time, typer.Option("--by", help="Time that scores, pairs and comparisons are about.")]
_Baseline = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FOLDER", help="Folder that every other one is compared with."),
]
_Pairs = Annotated[
    list[str] | None,
    typer.Option(
        "--pair",
        metavar="SPEC,SPEC",
        help="Backends to compare and to plot against each other; can be repeated.  [default: compare all of "
        "a single FOLDER; plot those that decide most]",
    ),
]


def report(
    folders: _Folders,
    *,
    format: _Format = None,
    output: _Output = None,
    baseline: _Baseline = None,
    pairs: _Pairs = None,
    by: _By = Time.WALL,
    as_json: AsJson = False,
) -> None:
    """Report on campaigns: scores, pairs, disagreements, changes.

    Several campaigns are shown as one; a backend that several have is told apart by the folder, as in "sat @
    after". A campaign may still be running. Contradictions between backends, wrong answers and regressions
    from the baseline come first and make the exit code 1.
    """
    from nonocsp.bench.report import Digest
    from nonocsp.bench.report.digest import place_of
    from nonocsp.bench.report.export import to_markdown, to_records
    from nonocsp.bench.store import read_campaign
    from nonocsp.model import UsageError

    if as_json and (format or output):
        raise UsageError("--json does not go with --format or --output")
    if output and format is Format.TERMINAL:
        raise UsageError("--output does not go with --format terminal, which prints")
    if baseline and place_of(baseline, folders) is None:
        folders = [baseline, *folders]
    digest = Digest.of(
        [read_campaign(folder) for folder in folders],
        by.value,
        baseline=None if baseline is None else place_of(baseline, folders),
        pairs=[_names(pair) for pair in pairs or ()],
    )
    if len(folders) > 1 and baseline is None:
        typer.echo("no folder is compared with another; --baseline FOLDER shows what changed", err=True)
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
        _write(digest, format, folders, output)
    is_fine = digest.is_sound and not digest.regressions
    raise typer.Exit(ExitCode.FINE if is_fine else ExitCode.NEGATIVE)


def _names(pair: str) -> tuple[str, str]:
    """Return the two backends that ``--pair`` names."""
    from nonocsp.backends.registry import split_specs
    from nonocsp.model import UsageError

    names = split_specs(pair)
    if len(names) != 2:
        raise UsageError(f"--pair takes two backends such as sat,cpsat, not {pair!r}")
    return names[0], names[1]


def _write(digest: Digest, format: Format, folders: Sequence[Path], output: Path | None) -> None:
    """Write the report to `output` or into the last campaign's folder; print its path."""
    from nonocsp.bench.report import write_files

    page = "report.html" if len(folders) == 1 else "comparison.html"
    name = {Format.HTML: page, Format.CSV: "tables"}.get(format, "plots")
    for path in write_files(digest, format, output or folders[-1] / name):
        typer.echo(f"report: {path}")


def _print_tables(digest: Digest) -> None:
    """Print all tables; warnings go to standard error."""
    from nonocsp.bench.report.writing import terminal_tables
    from nonocsp.cli.shared.console import print_table

    for warning in digest.warnings:
        typer.echo(printable(f"warning: {warning}"), err=True)
    for table in terminal_tables(digest):
        print_table(table)
        print()
