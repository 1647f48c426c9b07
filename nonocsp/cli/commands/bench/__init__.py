"""``nonocsp bench``: run a campaign, show its progress, print a summary and write a report."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.completion import complete_config, complete_executor, complete_termination
from nonocsp.cli.shared.console import print_rows, print_sentences, print_table, printable
from nonocsp.cli.shared.endings import ExitCode, writing_to
from nonocsp.cli.shared.manual import command, command_line

if TYPE_CHECKING:
    from nonocsp.bench.campaign import CampaignResult, Event
    from nonocsp.bench.config import CampaignConfig
    from nonocsp.bench.planning import Shard

app = command_line()


@command(
    app,
    "nonocsp bench smoke",
    "nonocsp bench configs/tcga.yaml",
    "nonocsp bench --filter 'backend=sat*' --filter heart configs/colour.yaml",
    "nonocsp bench --repeats 2 configs/tcga.yaml",
    "nonocsp bench --shard 2/5 configs/tcga-1000.yaml",
    "nonocsp bench --scheduler tcp://node1:8786 configs/tcga-1000.yaml",
    fine="all runs are done, all answers verified",
    negative="backends contradict each other, or gave a wrong answer",
    see="report, results, check, backends",
)
def bench(
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="CONFIG",
            autocompletion=complete_config,
            help="Campaign to run: a YAML file, or the name of one that comes with nonocsp.",
        ),
    ] = None,
    *,
    list_campaigns: Annotated[
        bool, opt.option("List the campaigns that come with nonocsp, and where they are.", "--list")
    ] = False,
    output: Annotated[
        Path | None, opt.output("Folder of the results.  [default: results/NAME]", "FOLDER")
    ] = None,
    jobs: opt.JobsOfConfig = None,
    limit: opt.WallLimit = None,
    executor: Annotated[
        str | None,
        opt.option(
            "Executor that measures the runs.  [default: the config's]",
            metavar="NAME",
            autocompletion=complete_executor,
            panel=opt.MORE,
        ),
    ] = None,
    repeats: Annotated[
        int | None,
        opt.number(
            "Number of repeats. More than before are a further session.  [default: the config's]",
            least=1,
            panel=opt.MORE,
        ),
    ] = None,
    filters: Annotated[
        list[str] | None,
        opt.option(
            "Only puzzles with TEXT in their name, or these backends; may be repeated.",
            "--filter",
            metavar="TEXT|backend=PATTERN",
        ),
    ] = None,
    shard: Annotated[
        str,
        opt.option(
            "Only shard K of N; nonocsp results merge puts shards together.", metavar="K/N", panel=opt.MORE
        ),
    ] = "",
    retry: Annotated[
        list[str] | None,
        opt.option(
            "Repeat runs that ended like this, such as crashed; may be repeated.",
            metavar="TERMINATION",
            autocompletion=complete_termination,
            panel=opt.MORE,
        ),
    ] = None,
    fresh: Annotated[
        bool,
        opt.option("Start over and set earlier results aside, or run what is missing.", "--fresh/--resume"),
    ] = False,
    keep_old: Annotated[
        bool,
        opt.option(
            "Count and score runs that other code has made, instead of running them again.",
            "--keep-old",
            panel=opt.MORE,
        ),
    ] = False,
    scheduler: Annotated[
        str | None,
        opt.option(
            "Measure on the dask cluster with this scheduler.  [default: NONOCSP_SCHEDULER]",
            metavar="ADDRESS",
            panel=opt.MORE,
        ),
    ] = None,
    dry_run: opt.DryRun = False,
    as_json: opt.AsJson = False,
) -> None:
    """Compare backends on the same puzzles, every answer verified.

    Prints a summary and writes an HTML report. Runs whose results are in the folder are not repeated, so
    the same command resumes an interrupted campaign; a backend whose code has changed runs anew.
    Contradictions between backends come first and make the exit code 1.
    """
    from nonocsp.backends.base import Termination
    from nonocsp.bench import load_config
    from nonocsp.bench.planning import Shard
    from nonocsp.model import unknown
    from nonocsp.shipped import find_config

    if list_campaigns or config is None:
        _list_campaigns(as_json=as_json)
        return
    found = find_config(config)
    if found != config:
        typer.echo(f"{config} is not a file here; using {found}, which comes with nonocsp", err=True)
    executor = executor or ("dask" if scheduler else None)
    campaign = load_config(found).override(wall=limit, jobs=jobs, executor=executor, repeats=repeats)
    if campaign.executor == "dask":
        scheduler = scheduler or os.environ.get("NONOCSP_SCHEDULER")
    wanted = Shard.of(shard, filters or ())
    folder = output or opt.RESULTS / f"{campaign.name}{wanted.suffix}"
    if dry_run:
        from nonocsp.cli.commands.bench.plan import print_plan

        print_plan(campaign, wanted, folder, keep_old=keep_old, as_json=as_json)
        return
    known = [str(termination) for termination in Termination if termination is not Termination.OK]
    for name in retry or ():
        if name not in known:
            raise unknown("termination", name, known)
    again = set(map(Termination, retry or ()))
    told: list[str] = []
    how = {"retry": again, "is_fresh": fresh, "keep_old": keep_old, "scheduler": scheduler}
    result = _run(campaign, folder, wanted, told, how)
    _report(result, folder, wanted, told, as_json=as_json)


def _list_campaigns(*, as_json: bool) -> None:
    from nonocsp import shipped

    known = shipped.campaigns()
    if as_json:
        for name, path in known.items():
            print(json.dumps({"campaign": name, "config": str(path), "about": shipped.summary(path)}))
    else:
        print_rows(("campaign", "about"), [(name, shipped.summary(path)) for name, path in known.items()])
        typer.echo(f"nonocsp bench NAME runs one; the files are in {shipped.root() / 'configs'}")


def _run(
    campaign: CampaignConfig, folder: Path, shard: Shard, told: list[str], how: dict[str, Any]
) -> CampaignResult:
    """Run the campaign with a live display on standard error; `told` gets the warnings that were printed."""
    from nonocsp.bench import run_campaign
    from nonocsp.bench.campaign import Planned, SetAside
    from nonocsp.cli.shared.campaign_progress import campaign_progress

    has_begun = False
    try:
        name = ", ".join(filter(None, (campaign.name, str(shard))))
        with writing_to(folder), campaign_progress(name, campaign.jobs) as show:

            def on_event(event: Event) -> None:
                nonlocal has_begun
                has_begun = True
                if isinstance(event, SetAside):
                    typer.echo(f"earlier results are now in {event.folder}", err=True)
                    return
                told.extend(event.warnings if isinstance(event, Planned) else ())
                show(event)

            return run_campaign(campaign, folder, shard=shard, on_event=on_event, **how)
    except KeyboardInterrupt:
        words, advice = sys.argv[1:], f"results so far are in {folder}; resume with"
        if has_begun:
            words = [word for word in words if word != "--fresh"]
        elif how["is_fresh"]:
            advice = f"nothing was run yet, and {folder} is as it was; start again with"
        typer.echo(f"{advice}\n  {shlex.join(['nonocsp', *words])}", err=True)
        raise


def _report(result: CampaignResult, folder: Path, shard: Shard, told: list[str], *, as_json: bool) -> None:
    """Write the report, print the findings and the summary, and end with the exit code."""
    from nonocsp.bench.report import summary_table, write_report

    report = folder / "report.html"
    digest = write_report(result, report)
    for disagreement in result.disagreements:
        typer.echo(printable(f"DISAGREEMENT {disagreement}"), err=as_json)
    for row in result.wrong:
        wrong = f"WRONG ANSWER {row['puzzle']}: {row['backend']}: {row.get('message', '')}"
        typer.echo(printable(wrong), err=as_json)
    for warning in result.warnings:
        if warning not in told:
            typer.echo(printable(f"warning: {warning}"), err=True)
    if as_json:
        for row in result.rows:
            print(json.dumps(row))
    else:
        suffix = f", {shard}" if str(shard) else ""
        typer.echo(f"{result.name}{suffix}: {result.planned} runs, {result.ran} now, {result.skipped} before")
        print_table(summary_table(digest))
        print_sentences(digest.headline)
    typer.echo(f"report: {report}", err=as_json)
    raise typer.Exit(ExitCode.FINE if result.is_sound else ExitCode.NEGATIVE)
