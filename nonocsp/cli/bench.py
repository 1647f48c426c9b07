"""``nonocsp bench``: run a campaign, show how it goes, sum it up."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli import values
from nonocsp.cli.exit_codes import ExitCode
from nonocsp.cli.options import AsJson, WallLimit

if TYPE_CHECKING:
    from nonocsp.bench import CampaignConfig, CampaignResult, PlannedRun

EXAMPLES = values.examples(
    "nonocsp bench configs/tcga.yaml",
    "nonocsp bench --dry-run configs/tcga-full.yaml",
    "nonocsp bench --jobs 1 --limit 5s --output quick configs/tcga.yaml",
)


def bench(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="The campaign, a YAML file.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Where results go, instead of results/NAME."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", metavar="N", min=1, help="Runs at a time, instead of the config's."),
    ] = None,
    limit: WallLimit = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be run; run nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare backends on the same puzzles, every answer verified.

    Prints a summary and writes an HTML report. What the folder holds already is not run again, so after an
    interruption the same command goes on. Contradictions between backends come first and make the exit
    code 1.
    """
    from nonocsp.bench import load_config, write_report

    campaign = load_config(config)
    if limit is not None:
        campaign = campaign.with_wall(limit)
    if dry_run:
        _print_plan(campaign, jobs or campaign.jobs, as_json=as_json)
        return
    folder = output or Path("results") / campaign.name
    result = _run(campaign, folder, jobs)
    report = folder / "report.html"
    write_report(result, report)
    _print_findings(result, to_stderr=as_json)
    if as_json:
        for row in result.rows:
            print(json.dumps(row))
    else:
        _print_summary(result)
    typer.echo(f"report: {report}", err=as_json)
    raise typer.Exit(ExitCode.FINE if result.is_sound else ExitCode.NEGATIVE)


def _run(campaign: CampaignConfig, folder: Path, jobs: int | None) -> CampaignResult:
    """Run the campaign with a live display on standard error."""
    from nonocsp.bench import run_campaign
    from nonocsp.cli.progress import campaign_progress

    try:
        with campaign_progress(campaign.name) as on_event:
            return run_campaign(campaign, folder, jobs=jobs, on_event=on_event)
    except KeyboardInterrupt:
        typer.echo(f"what was measured is in {folder}; resume with the same command", err=True)
        raise


def _print_findings(result: CampaignResult, *, to_stderr: bool) -> None:
    """Print what must not be overlooked: contradictions, wrong answers, warnings."""
    for disagreement in result.disagreements:
        typer.echo(f"DISAGREEMENT {disagreement}", err=to_stderr)
    for row in result.wrong:
        typer.echo(f"WRONG ANSWER {row['puzzle']}: {row['backend']}: {row['message']}", err=to_stderr)
    for warning in result.warnings:
        typer.echo(f"warning: {warning}", err=True)


def _print_summary(result: CampaignResult) -> None:
    from nonocsp.bench import summary_table
    from nonocsp.cli.console import print_table

    typer.echo(f"{result.name}: {result.planned} runs, {result.ran} now, {result.skipped} before")
    print_table(summary_table(result))


def _print_plan(campaign: CampaignConfig, jobs: int, *, as_json: bool) -> None:
    from nonocsp.bench import plan

    runs = plan(campaign)
    if as_json:
        for run in runs:
            print(json.dumps(_planned_record(run)))
        return
    puzzles = len({run.source.name for run in runs})
    typer.echo(f"{campaign.name}: {puzzles} puzzles x {len(campaign.backends)} backends = {len(runs)} runs")
    for backend in campaign.backends:
        typer.echo(f"  {sum(run.backend == backend for run in runs)} runs of {backend}")
    if campaign.limits.wall:
        worst = timedelta(seconds=round(len(runs) * campaign.limits.wall / jobs))
        typer.echo(f"at most {worst} (h:mm:ss), {jobs} at a time, {campaign.limits.wall:g} s each")


def _planned_record(run: PlannedRun) -> dict[str, str | int]:
    rows, columns = run.source.puzzle.shape
    return {
        "run": run.id,
        "puzzle": run.source.name,
        "index": run.source.index,
        "rows": rows,
        "columns": columns,
        "backend": run.backend,
        "task": str(run.request.task),
        "seed": run.request.seed,
        "repeat": run.repeat,
    }
