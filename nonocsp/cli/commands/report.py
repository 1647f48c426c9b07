"""``nonocsp report``: the results of campaigns, for people, papers and other programs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import print_sentences, print_table, printable, terminal
from nonocsp.cli.shared.endings import ExitCode, usage_error
from nonocsp.cli.shared.manual import OUTPUT, command, command_line

if TYPE_CHECKING:
    from nonocsp.bench.report import Digest


_TABLES = ("csv", "latex", "markdown")
Format = Literal["terminal", "html", "latex", "markdown", "csv", "pdf", "png", "svg"]
"""What a report can be: printed in the terminal, or what `nonocsp.bench.report.write_files` writes."""
app = command_line()


@command(
    app,
    "nonocsp report results/tcga",
    "nonocsp report --format terminal results/tcga",
    "nonocsp report --format latex --table scores results/tcga",
    "nonocsp report --paper paper results/tcga",
    "nonocsp report results/tcga results/colour results/sizes",
    "nonocsp report --baseline results/before results/after",
    fine="no contradictions, and nothing got worse",
    negative="contradictions, wrong answers, or regressions from the baseline",
    see="bench, results",
)
def report(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...", help="Folders that nonocsp bench wrote; several are shown as one."
        ),
    ],
    *,
    format: Annotated[
        Format | None,
        opt.option(
            "What to write.  [default: tables in the terminal and an HTML page]", "--format", panel=OUTPUT
        ),
    ] = None,
    output: Annotated[
        Path | None,
        opt.output(
            "File for html, latex and markdown, folder for csv, pdf, png and svg.  [default: in the last "
            "FOLDER; latex and markdown are printed]",
            "PATH",
        ),
    ] = None,
    names: Annotated[
        list[str] | None,
        opt.file(
            "Only this table, such as scores; can be repeated. A single one of csv is printed.",
            "--table",
            metavar="NAME",
        ),
    ] = None,
    paper: Annotated[
        Path | None,
        opt.file(
            "Write a folder with all that a paper needs: tables, figures, captions, citation.",
            metavar="FOLDER",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        opt.option("Folder that every other one is compared with.", "--baseline", metavar="FOLDER"),
    ] = None,
    pairs: Annotated[
        list[str] | None,
        opt.option(
            "Backends to compare and to plot against each other; can be repeated.  [default: compare "
            "all of a single FOLDER; plot those that decide most]",
            "--pair",
            metavar="SPEC,SPEC",
            panel=opt.MORE,
        ),
    ] = None,
    by: Annotated[
        Literal["wall", "cpu"], opt.option("Time that scores, pairs and comparisons are about.", "--by")
    ] = "wall",
    as_json: opt.AsJson = False,
) -> None:
    """Report on campaigns: scores, pairs, disagreements, changes.

    Several campaigns are shown as one; a backend that several have is told apart by the folder, as in "sat @
    after". A campaign may still be running. Contradictions between backends, wrong answers and regressions
    from the baseline come first and make the exit code 1.
    """
    from nonocsp.bench.report import Digest
    from nonocsp.bench.report.digest import place_of
    from nonocsp.bench.store import read_campaign
    from nonocsp.cli.shared.saving import refuse_results

    _check_options(as_json=as_json, paper=paper, format=format, output=output, names=names)
    if baseline and place_of(baseline, folders) is None:
        folders = [baseline, *folders]
    for place, option in ((output, "--output"), (paper, "--paper")):
        if place:
            refuse_results(place, folders, option)
    digest = Digest.of(
        [read_campaign(folder) for folder in folders],
        by,
        baseline=None if baseline is None else place_of(baseline, folders),
        pairs=[_names(pair) for pair in pairs or ()],
    )
    if len(folders) > 1 and baseline is None:
        typer.echo("no folder is compared with another; --baseline FOLDER shows what changed", err=True)
    if as_json:
        _print_json(digest)
    elif paper:
        _write_paper(digest, paper)
    elif format is None:
        _print_tables(digest)
        _write(digest, "html", output)
    elif format == "terminal":
        _print_tables(digest, names or ())
    else:
        _write(digest, format, output, names or ())
    is_fine = digest.is_sound and not digest.regressions
    raise typer.Exit(ExitCode.FINE if is_fine else ExitCode.NEGATIVE)


def _check_options(
    *,
    as_json: bool,
    paper: Path | None,
    format: Format | None,
    output: Path | None,
    names: Sequence[str] | None,
) -> None:
    """Raise UsageError for options that do not go together."""
    if as_json and (format or output or names):
        raise usage_error("--json does not go with --format, --output or --table")
    if paper and (as_json or format or output or names):
        raise usage_error("--paper writes everything: leave out --json, --format, --output and --table")
    if output and format == "terminal":
        raise usage_error("--output does not go with --format terminal, which prints")
    if names and format not in ("terminal", *_TABLES):
        raise usage_error("--table needs --format terminal, csv, latex or markdown")


def _names(pair: str) -> tuple[str, str]:
    """Return the two backends that ``--pair`` names."""
    from nonocsp.backends.registry import split_specs

    names = split_specs(pair)
    if len(names) != 2:
        raise usage_error(f"--pair takes two backends such as sat,cpsat, not {pair!r}")
    return names[0], names[1]


def _write(digest: Digest, format: Format, output: Path | None, names: Sequence[str] = ()) -> None:
    """Write the report to `output` or the last campaign's folder; without `output`, texts are printed."""
    from nonocsp.bench.report import write_files
    from nonocsp.bench.report.writing import to_text

    if output is None and format in _TABLES and (format != "csv" or len(names) == 1):
        text = to_text(digest, format, names)
        if terminal():  # CSV for programs has the names as they are
            text = "".join(f"{printable(line)}\n" for line in text.splitlines())
        print(text, end="")
        return
    page = "report.html" if len(digest.parts) == 1 else "comparison.html"
    name = {"html": page, "csv": "tables"}.get(format, "plots")
    place = output or digest.parts[-1].campaign.folder / name
    for path in write_files(digest, format, place, names):
        typer.echo(f"report: {path}")


def _write_paper(digest: Digest, paper: Path) -> None:
    """Write the folder of ``--paper``; print the path of its README."""
    from nonocsp.bench.report.paper import write_paper

    folders = [str(part.campaign.folder) for part in digest.parts]
    command = ["nonocsp", "report", *folders, "--paper", str(paper)]
    command += [word for pair in digest.chosen for word in ("--pair", ",".join(pair))]
    command += ["--by", "cpu"] if digest.runs.by == "cpu" else []
    command += ["--baseline", folders[digest.baseline]] if digest.baseline is not None else []
    readme, *files = write_paper(digest, paper, shlex.join(command))
    typer.echo(f"report: {readme}, which describes {len(files)} more files")


def _print_json(digest: Digest) -> None:
    from nonocsp.bench.report.writing import to_records

    for record in to_records(digest):
        print(json.dumps(record))


def _print_tables(digest: Digest, names: Sequence[str] = ()) -> None:
    """Print tables, by default all; warnings go to standard error."""
    from nonocsp.bench.report.writing import terminal_tables

    for warning in digest.warnings:
        typer.echo(printable(f"warning: {warning}"), err=True)
    for table in terminal_tables(digest, names):
        print_table(table)
        print()
    if not names:
        print_sentences(digest.headline)
