"""Measure programs that take a whole set at once, so that they can stand in a campaign puzzle by puzzle.

Jobs of such a program (``given: set``) wait until a set is full or no other job comes, and go to the executor
as one, with the limits of a run times the puzzles. The wall time of a puzzle is that from the grid before it
until its own; grids that came together share their time (``time_shared_by`` in the statistics). CPU time is
divided in proportion; the peak of the memory is that of the set.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Termination
from nonocsp.backends.command.whole_set import carrier
from nonocsp.backends.registry import is_program, program
from nonocsp.backends.run import WrongGrid, check_solution
from nonocsp.model import MAX_LINES, Grid, Puzzle
from nonocsp.run.jobs import Executor, Job, Measurement
from nonocsp.run.limits import cut_off_if_late

MOST = 500
"""The most puzzles of a set. Their rows, and one more for each, are also at most `MAX_LINES`."""


def takes_sets(spec: str) -> bool:
    """Return whether a backend is a program that is given whole sets."""
    return is_program(spec) and program(spec).given == "set"


def measured(executor: Executor, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
    """Measure jobs and yield each as it ends, those of programs that take sets at the end of their set."""
    sets: dict[str, list[Job]] = {}
    is_given_sets = cache(takes_sets)

    def grouped() -> Iterator[Job]:
        waiting: dict[tuple[str, Request, tuple[int, int]], list[Job]] = {}
        for job in jobs:
            if not (is_given_sets(job.backend) and job.puzzle.palette.is_one_colour):
                yield job
                continue
            key = job.backend, job.request, job.puzzle.shape
            waiting.setdefault(key, []).append(job)
            if len(waiting[key]) == min(MOST, MAX_LINES // (job.puzzle.shape[0] + 1)):
                yield together(waiting.pop(key))
        for rest in waiting.values():
            yield together(rest)

    def together(batch: list[Job]) -> Job:
        first, size = batch[0], len(batch)
        if size == 1:
            return first
        limits = first.request.limits
        wall, cpu = (None if one is None else one * size for one in (limits.wall, limits.cpu))
        request = dataclasses.replace(first.request, limits=Limits(wall, cpu, limits.memory))
        sets[first.id] = batch
        return Job(carrier([job.puzzle for job in batch]), first.backend, request, first.id)

    for job, measurement in executor.run(grouped()):
        if batch := sets.pop(job.id, None):
            yield from divided(batch, measurement)
        else:
            yield job, measurement


def divided(batch: list[Job], whole: Measurement) -> Iterator[tuple[Job, Measurement]]:
    """Yield the jobs of a set with what was measured of each."""
    outcome, height = whole.outcome, batch[0].puzzle.shape[0] + 1
    times = f"{outcome.stats.get('set_times', '')}".split()
    for number, job in enumerate(batch):
        grid, wall_s, shared = None, outcome.wall_s / len(batch), len(batch)
        if outcome.partial is not None and number < len(times) and "/" in times[number]:
            rows = outcome.partial.candidates[number * height : (number + 1) * height - 1]
            with suppress(ValueError):
                seconds, _, by = times[number].partition("/")
                wall_s, shared, grid = min(float(seconds), outcome.wall_s), int(by), Grid(rows)
        single = _outcome(job.puzzle, grid, outcome)
        cpu_s = outcome.cpu_s * (wall_s / outcome.wall_s if outcome.wall_s else 1 / len(batch))
        stats = {"set_size": len(batch), "time_shared_by": shared}
        single = dataclasses.replace(single, stats=stats, wall_s=wall_s, cpu_s=cpu_s)
        single = cut_off_if_late(single, job.request.limits)
        yield job, dataclasses.replace(whole, outcome=single, claimed_wall_s=None, claimed_cpu_s=None)


def _outcome(puzzle: Puzzle, grid: Grid | None, whole: Outcome) -> Outcome:
    """Return what a set says of one of its puzzles; its grid is verified here."""
    if grid is not None:
        try:
            check_solution(puzzle, grid)
        except WrongGrid as error:
            return Outcome(Answer.UNKNOWN, Termination.CRASHED, message=f"wrong answer: {error}", wrong=True)
        return Outcome(Answer.SOLVED, Termination.OK, (grid,))
    if whole.termination is not Termination.OK:
        return Outcome(Answer.UNKNOWN, whole.termination, message=whole.message)
    if whole.stats.get("set_cut_off"):
        return Outcome(Answer.UNKNOWN, Termination.WALL, message="the wall limit of the set was reached")
    why = whole.stats.get("set_failure", "expected a grid for each puzzle of its set")
    return Outcome(Answer.UNKNOWN, Termination.CRASHED, message=f"the program printed no grid for it: {why}")
