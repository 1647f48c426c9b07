"""``nonocsp results``: merge campaigns and export their rows."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.endings import ExitCode, usage_error, writing_to
from nonocsp.cli.shared.manual import command, command_line

app = command_line("results")


@app.callback()
def _results() -> None:
    """Merge the shards of a campaign, or export its rows."""


@command(
    app,
    "nonocsp results merge results/1of2 results/2of2 --output results/tcga",
    "nonocsp results merge old new --name before-and-after --output both",
    fine="merged",
    negative="two folders contradict each other about a run",
    see="bench, report",
)
def merge(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER...", help="Folders that nonocsp bench wrote.")
    ],
    *,
    output: Annotated[Path, opt.output("New folder for the merged campaign.", "FOLDER")],
    name: Annotated[
        str, opt.option("Name of the merged campaign; needed if the names differ.", "--name", metavar="NAME")
    ] = "",
    as_json: opt.AsJson = False,
) -> None:
    """Merge campaigns that were run in shards.

    The merged campaign has each run once, from the first folder that has it. It can be resumed and reported
    like any other. If two folders contradict each other about a run, the exit code is 1.
    """
    from nonocsp.bench.merging import merge
    from nonocsp.formats.json_text import is_unicode

    if not is_unicode(name):  # it is stored
        raise usage_error(f"--name {name!r} is not UTF-8")
    with writing_to(output):
        merged = merge(folders, output, name=name)
    for disagreement in merged.disagreements:
        typer.echo(printable(f"DISAGREEMENT {disagreement}"), err=as_json)
    for warning in merged.warnings:
        typer.echo(printable(f"warning: {warning}"), err=True)
    campaign = merged.campaign
    if as_json:
        record = {
            "campaign": campaign.name,
            "folder": str(campaign.folder),
            "runs": len(campaign.rows),
            "doubled": merged.doubled,
            "disagreements": [str(disagreement) for disagreement in merged.disagreements],
            "warnings": merged.warnings,
        }
        typer.echo(json.dumps(record))
    else:
        doubled = f"; {merged.doubled} were there twice, and the first was kept" if merged.doubled else ""
        typer.echo(f"{printable(campaign.name)}: {len(campaign.rows)} runs in {campaign.folder}{doubled}")
    raise typer.Exit(ExitCode.NEGATIVE if merged.disagreements else ExitCode.FINE)


@command(
    app,
    "nonocsp results export results/tcga > tcga.csv",
    "nonocsp results export results/tcga --output tcga.parquet",
    fine="written",
    see="report, bench",
)
def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder that nonocsp bench wrote.")],
    *,
    output: Annotated[str, opt.output("File to write; - is the standard output.")] = "-",
    format: Annotated[
        str, opt.option("Format to write, if the suffix does not name one.", metavar="csv|parquet")
    ] = "",
) -> None:
    """Write the rows of a campaign as a flat table.

    Nested values become columns such as limits.wall and stats.nodes; grids become JSON text.
    """
    from nonocsp.bench.export import FORMATS, write_parquet, write_rows
    from nonocsp.bench.store import read_campaign
    from nonocsp.cli.shared.saving import refuse_results
    from nonocsp.formats.target import open_target

    chosen = format or Path(output).suffix.removeprefix(".").lower() or "csv"
    if chosen not in FORMATS:
        raise usage_error(
            f"unknown format {chosen!r}; expected {', '.join(FORMATS)}; choose one with --format"
        )
    if chosen == "parquet" and output == "-":
        raise usage_error("a Parquet file cannot go to the standard output; name one with --output")
    if output != "-":
        refuse_results(Path(output), [folder], "--output")
    campaign = read_campaign(folder)
    for fault in campaign.faults:
        typer.echo(printable(f"warning: {fault}"), err=True)
    rows = campaign.rows.complete()
    with open_target(output, follow_links=False) as file:
        if chosen == "parquet":
            write_parquet(rows, file)
        else:
            text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="", write_through=True)
            write_rows(rows, text)
            text.detach()
