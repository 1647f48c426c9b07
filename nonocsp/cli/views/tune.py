"""Print what ``nonocsp tune`` plans and finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import typer

from nonocsp.bench.estimate import AROUND_S, END_S
from nonocsp.bench.report.figures import p_value, ratio, seconds, shortened
from nonocsp.bench.tuning.space import Space
from nonocsp.bench.tuning.tuner import Finding, Task, Tuned
from nonocsp.cli.shared.console import clock, print_rows

_LISTED = 10
"""The most candidates that the table lists."""
_LETTERS = 50
"""The longest spec in it."""


def print_race(task: Task, space: Space, *, as_json: bool) -> None:
    """Print the candidates, the rounds, and how long they take at most.

    Parameters
    ----------
    task
        What is tuned.
    space
        Where the candidates come from.
    as_json
        Print a record for each candidate instead.
    """
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


def print_result(result: Tuned, task: Task) -> None:
    """Print how far the candidates came, and what the test puzzles say.

    Parameters
    ----------
    result
        Of tuning.
    task
        What was tuned.
    """
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
    Finding.BETTER: "Better than {default} by more than chance. To use it:",
    Finding.NOISE: (
        "The difference may be noise: it is no reason to leave {default}.\n"
        "More puzzles, --repeats in the config, or a quieter machine tell more."
    ),
    Finding.WORSE: "The winner was lucky in training, and is worse than {default} here. Keep {default}.",
}


def records(result: Tuned) -> Iterator[dict[str, Any]]:
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
