"""``nonocsp results``: merge campaigns, export their rows, and follow backends over versions."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.endings import ExitCode, usage_error, writing_to
from nonocsp.cli.shared.manual import command, command_line

app = command_line("results")

_Folders = Annotated[
    list[Path], typer.Argument(metavar="FOLDER...", help="Folders that nonocsp bench wrote.")
]


@app.callback()
def _results() -> None:
    """Merge campaigns, export rows, or follow a backend over versions."""


@command(
    app,
    "nonocsp results merge results/1of2 results/2of2 --output results/tcga",
    "nonocsp results merge old new --name before-and-after --output both",
    fine="merged",
    negative="two folders contradict each other about a run",
    see="bench, report",
)
def merge(
    folders: _Folders,
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
    from nonocsp.bench.report.writing import write_report
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
    page = campaign.folder / "report.html" if len(campaign.rows) else None
    if page:
        write_report([campaign], page)
    if as_json:
        record = {
            "campaign": campaign.name,
            "folder": str(campaign.folder),
            "runs": len(campaign.rows),
            "doubled": merged.doubled,
            "disagreements": [str(disagreement) for disagreement in merged.disagreements],
            "warnings": merged.warnings,
            "missing_shards": merged.missing_shards,
        }
        typer.echo(json.dumps(record))
    else:
        doubled = f"; {merged.doubled} were there twice, and the first was kept" if merged.doubled else ""
        typer.echo(f"{printable(campaign.name)}: {len(campaign.rows)} runs in {campaign.folder}{doubled}")
        if page:
            typer.echo(f"report: {printable(str(page))}")
        if merged.missing_shards:
            shard = f"--shard {merged.missing_shards[0]}"
            typer.echo(f"next: nonocsp bench {shard} --output FOLDER CONFIG, then merge all folders anew")
        else:
            typer.echo(f"next: nonocsp report --paper FOLDER {shlex.quote(str(campaign.folder))}")
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


@command(
    app,
    "nonocsp results history results/before results/after",
    "nonocsp results history --backend hybrid --output history.svg results/*",
    "nonocsp results history --sessions --by cpu results/nightly",
    fine="no backend got worse by more than chance",
    negative="a backend's latest version is worse than the one before",
    see="report, bench",
)
def history(
    folders: _Folders,
    *,
    backends: Annotated[
        list[str] | None, opt.option("Only this backend; can be repeated.", "--backend", "-b", metavar="SPEC")
    ] = None,
    sessions: Annotated[
        bool,
        opt.option("A line for each session, instead of one for each version of the code.", "--sessions"),
    ] = False,
    by: Annotated[
        Literal["wall", "cpu"], opt.option("Time that scores, pairs and comparisons are about.", "--by")
    ] = "wall",
    output: Annotated[Path | None, opt.output("Plot to write as well: .svg, .png or .pdf.", "FILE")] = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show how backends changed over versions and commits.

    Sessions with the same options, code and packages are one version. Each version is compared with the one
    before it; a verdict needs about five sessions of each, which alternate. Counters of work, such as
    conflicts, do not depend on the machine.
    """
    from nonocsp.bench.history import histories
    from nonocsp.bench.report.history import history_tables, sentences, to_records, write_history
    from nonocsp.bench.report.writing import rich_table
    from nonocsp.bench.store import read_campaign
    from nonocsp.cli.shared.console import print_sentences, print_table
    from nonocsp.cli.shared.saving import refuse_results
    from nonocsp.render.plot import check_plot

    if output:
        check_plot(output)
        refuse_results(output, folders, "--output")
    campaigns = [read_campaign(folder) for folder in folders]
    for fault in (fault for campaign in campaigns for fault in campaign.faults):
        typer.echo(printable(f"warning: {fault}"), err=True)
    found = histories(campaigns, backends or (), by=by, each_session=sessions)
    if as_json:
        for record in to_records(found):
            typer.echo(json.dumps(record))
    else:
        for one in found:
            for table in history_tables(one, by=by, verdicts=not sessions):
                print_table(rich_table(table))
                print()
        if not sessions:
            print_sentences(sentence for one in found for sentence in sentences(one))
        for advice in dict.fromkeys(one.advice for one in found if one.advice):
            typer.echo(printable(f"warning: {advice}"), err=True)
    if output:
        write_history(found, output)
        typer.echo(f"plot: {output}", err=as_json)
    is_worse = not sessions and any(one.has_regressed for one in found)
    raise typer.Exit(ExitCode.NEGATIVE if is_worse else ExitCode.FINE)
