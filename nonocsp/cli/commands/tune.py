"""``nonocsp tune``: find the best options of a backend on some puzzles, and check them on others."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared.completion import complete_backend, complete_config
from nonocsp.cli.shared.endings import writing_to
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import OUTPUT, AsJson, DryRun, JobsOfConfig, Seed, WallLimit

if TYPE_CHECKING:
    from nonocsp.bench.tuning.tuner import Task, Tuned

EPILOG = epilog(
    "nonocsp tune sat configs/tcga.yaml",
    "nonocsp tune --option 'solver=glucose4|minisat22' sat configs/tcga.yaml",
    "nonocsp tune --option 'budget=0..90 by 10' --dry-run hybrid configs/tcga.yaml",
    exits={
        ExitCode.FINE: "options that are better than the default by more than chance",
        ExitCode.NEGATIVE: "none found, or a wrong answer",
    },
    see=("bench", "report", "backends"),
)

Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        autocompletion=complete_backend,
        help="Backend to tune; options in the spec stay as they are.",
    ),
]
Puzzles = Annotated[
    Path,
    typer.Argument(
        metavar="CONFIG",
        autocompletion=complete_config,
        help="Campaign whose puzzles, limits and task are used; its backends are not.",
    ),
]


def tune(
    spec: Spec,
    config: Puzzles,
    *,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="KEY=A|B",
            help="Values of an option to try, also a range such as 0..1000 by 100; may be repeated.  "
            "[default: all options, from their types]",
        ),
    ] = None,
    candidates: Annotated[
        int, typer.Option(metavar="N", min=2, max=256, help="Candidates, chosen by chance if there are more.")
    ] = 28,
    seed: Seed = 0,
    jobs: JobsOfConfig = None,
    limit: WallLimit = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Folder of the results.  [default: results/tune-BACKEND-NAME]",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Find the best options of a backend, and check them.

    The puzzles are split by chance. Candidates race on one half: bad ones are dropped after few runs. The
    winner is then compared with SPEC on the other half, which no candidate has seen. If the difference may be
    noise, the command says so, and the exit code is 1. The same command resumes after Ctrl-C.
    """
    from nonocsp.bench import load_config
    from nonocsp.bench.report import write_report
    from nonocsp.bench.tuning.space import Space, option_values
    from nonocsp.bench.tuning.tuner import Finding, Task
    from nonocsp.cli.views.tune import print_race, print_result, records
    from nonocsp.shipped import find_config

    space = Space.of(spec, dict(map(option_values, options or ())))
    campaign = load_config(find_config(config)).override(wall=limit, jobs=jobs)
    task = Task.of(campaign, space.candidates(candidates, seed), seed)
    folder = output or Path("results") / f"tune-{spec.partition(':')[0]}-{campaign.name}"
    if dry_run:
        print_race(task, space, as_json=as_json)
        return
    result = _run(task, folder)
    page = folder / "report.html"
    if result.test:
        write_report(result.test, page)
    if as_json:
        for record in records(result):
            print(json.dumps(record))
    else:
        print_result(result, task)
    if result.test:
        typer.echo(f"report: {page}", err=as_json)
    is_fine = result.is_sound and result.finding is Finding.BETTER
    raise typer.Exit(ExitCode.FINE if is_fine else ExitCode.NEGATIVE)


def _run(task: Task, folder: Path) -> Tuned:
    """Race and test with a live display of each campaign on standard error."""
    from nonocsp.bench import Event, Planned
    from nonocsp.bench.tuning.tuner import tune as tuned
    from nonocsp.cli.views.bench_progress import campaign_progress

    said: set[str] = set()
    scheduler = os.environ.get("NONOCSP_SCHEDULER") if task.config.executor == "dask" else None
    try:
        with writing_to(folder), campaign_progress(f"tune {task.candidates[0]}", task.config.jobs) as show:

            def on_event(event: Event) -> None:
                if isinstance(event, Planned):  # every round has the same warnings
                    new = [warning for warning in event.warnings if warning not in said]
                    said.update(new)
                    event = Planned(event.missing, event.counts, event.done, new)
                show(event)

            return tuned(task, folder, scheduler=scheduler, on_event=on_event)
    except KeyboardInterrupt:
        command = shlex.join(["nonocsp", *sys.argv[1:]])
        typer.echo(f"results so far are in {folder}; resume with\n  {command}", err=True)
        raise
