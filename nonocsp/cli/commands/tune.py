"""``nonocsp tune``: find the best options of a backend on some puzzles, and check them on others."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.completion import complete_backend, complete_config
from nonocsp.cli.shared.console import clock, print_rows
from nonocsp.cli.shared.endings import ExitCode, writing_to
from nonocsp.cli.shared.manual import command, command_line

if TYPE_CHECKING:
    from nonocsp.bench.option_space import Space
    from nonocsp.bench.tuning import Task, Tuned


_LISTED = 10
"""The most candidates that the table lists."""
_LETTERS = 50
"""The longest spec in it."""
app = command_line()


@command(
    app,
    "nonocsp tune sat configs/tcga.yaml",
    "nonocsp tune --option 'solver=glucose4|minisat22' sat configs/tcga.yaml",
    "nonocsp tune --option 'budget=0..90 by 10' --dry-run hybrid configs/tcga.yaml",
    fine="options that are better than the default by more than chance",
    negative="none found, or a wrong answer",
    see="bench, report, backends",
)
def tune(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC",
            autocompletion=complete_backend,
            help="Backend to tune; options in the spec stay as they are.",
        ),
    ],
    config: Annotated[
        Path,
        typer.Argument(
            metavar="CONFIG",
            autocompletion=complete_config,
            help="Campaign whose puzzles, limits and task are used; its backends are not.",
        ),
    ],
    *,
    options: Annotated[
        list[str] | None,
        opt.option(
            "Values of an option to try, also a range such as 0..1000 by 100; may be repeated.  "
            "[default: all options, from their types]",
            "--option",
            metavar="KEY=A|B",
        ),
    ] = None,
    candidates: Annotated[
        int, opt.option("Candidates, chosen by chance if there are more.", metavar="N", min=2, max=256)
    ] = 28,
    seed: opt.SeedOfSet = 0,
    jobs: opt.JobsOfConfig = None,
    limit: opt.WallLimit = None,
    output: Annotated[
        Path | None, opt.output("Folder of the results.  [default: results/tune-BACKEND-NAME]", "FOLDER")
    ] = None,
    dry_run: opt.DryRun = False,
    as_json: opt.AsJson = False,
) -> None:
    """Find the best options of a backend, and check them.

    The puzzles are split by chance. Candidates race on one half: bad ones are dropped after few runs. The
    winner is then compared with SPEC on the other half, which no candidate has seen. If the difference may be
    noise, the command says so, and the exit code is 1. The same command resumes after Ctrl-C.
    """
    from nonocsp.bench import load_config
    from nonocsp.bench.option_space import Space, option_values
    from nonocsp.bench.report import write_report
    from nonocsp.bench.tuning import Finding, Task
    from nonocsp.shipped import find_config

    space = Space.of(spec, dict(map(option_values, options or ())))
    campaign = load_config(find_config(config)).override(wall=limit, jobs=jobs)
    task = Task.of(campaign, space.candidates(candidates, seed), seed)
    folder = output or opt.RESULTS / f"tune-{spec.partition(':')[0]}-{campaign.name}"
    if dry_run:
        _print_race(task, space, as_json=as_json)
        return
    result = _run(task, folder)
    page = folder / "report.html"
    if result.test:
        write_report(result.test, page)
    if as_json:
        for record in _records(result):
            print(json.dumps(record))
    else:
        _print_result(result, task)
    if result.test:
        typer.echo(f"report: {page}", err=as_json)
    is_fine = result.is_sound and result.finding is Finding.BETTER
    raise typer.Exit(ExitCode.FINE if is_fine else ExitCode.NEGATIVE)


def _run(task: Task, folder: Path) -> Tuned:
    """Race and test with a live display of each campaign on standard error."""
    from nonocsp.bench.campaign import Event, Planned
    from nonocsp.bench.tuning import tune as tuned
    from nonocsp.cli.shared.campaign_progress import campaign_progress

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


def _print_race(task: Task, space: Space, *, as_json: bool) -> None:
    """Print the candidates, the rounds, and how long they take at most."""
    from nonocsp.bench.estimate import AROUND_S, END_S
    from nonocsp.bench.report.figures import shortened

    if as_json:
        for spec in task.candidates:
            print(json.dumps({"candidate": spec}))
        return
    each, before, runs = task.instances_each, 0, 0
    typer.echo(f"{len(task.candidates)} candidates of {space.size} combinations:")
    for key, values in space.values.items():
        typer.echo(f"  {key}: {shortened(', '.join(values), 72 - len(key))}")
    table = []
    for number, one in enumerate(task.rounds, start=1):
        new = one.candidates * (one.puzzles - before) * each
        before, runs = one.puzzles, runs + new
        table.append((f"{number}", f"{one.candidates}", f"{one.puzzles}", f"{new}"))
    runs += 2 * len(task.test) * each
    table.append(("test", "2", f"{len(task.test)}", f"{2 * len(task.test) * each}"))
    print_rows(("round", "candidates", "puzzles", "new runs"), table)
    wall = task.config.limits.wall or 0.0
    most = runs * (wall + END_S + AROUND_S) / task.config.jobs
    typer.echo(f"{runs} runs, {task.config.jobs} at a time: at most {clock(most)} (h:mm:ss)")


def _print_result(result: Tuned, task: Task) -> None:
    """Print how far the candidates came, and what the test puzzles say."""
    from nonocsp.bench.report.figures import p_value, ratio, seconds, shortened
    from nonocsp.bench.tuning import Finding

    rows = [
        (shortened(one.spec, _LETTERS), f"{one.round}", f"{one.puzzles}", seconds(one.cost_s))
        for one in result.standings
        if one in result.standings[:_LISTED] or one.spec == result.default
    ]
    print_rows(("candidate", "round", "puzzles", "cost"), rows)
    if left := len(result.standings) - len(rows):
        typer.echo(f"and {left} more")
    typer.echo("cost: shifted geometric mean of times; an undecided run counts twice its limit")
    if not result.is_sound:
        typer.echo("WRONG ANSWERS or contradictions: see the reports of the folders train and test", err=True)
    pair = result.pair
    if pair is None:
        typer.echo(f"No candidate beats {result.default} in training: keep it.")
        return
    low, high = pair.interval or (None, None)
    typer.echo(
        f"training, {len(task.train)} puzzles: x{ratio(result.train_ratio)} of the time of {result.default}\n"
        f"test, {pair.puzzles} others: x{ratio(pair.ratio)} ({ratio(low)} to {ratio(high)}),"
        f" {pair.wins} wins, {pair.losses} losses, p {p_value(pair.corrected_p_value)}"
    )
    typer.echo(_VERDICTS[result.finding].format(default=result.default))
    if result.finding is Finding.BETTER:
        typer.echo(f"--backend '{result.best}'")


_VERDICTS = {
    "better": "Better than {default} by more than chance. To use it:",
    "noise": (
        "The difference may be noise: it is no reason to leave {default}.\n"
        "More puzzles, --repeats in the config, or a quieter machine tell more."
    ),
    "worse": "The winner was lucky in training, and is worse than {default} here. Keep {default}.",
}


def _records(result: Tuned) -> Iterator[dict[str, Any]]:
    """Yield a record for each candidate, the best first, and one of the result."""
    for one in result.standings:
        record = asdict(one)
        yield {"candidate": record.pop("spec"), **record}
    pair = result.pair
    yield {
        "finding": str(result.finding),
        "spec": result.choice,
        "default": result.default,
        "winner": result.best,
        "train_ratio": result.train_ratio,
        "test": pair and {**asdict(pair)},
        "sound": result.is_sound,
    }
