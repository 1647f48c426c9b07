"""``nonocsp solve``: one backend on the puzzles of some files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from nonocsp.backends import DEFAULT
from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import counted, facts, heading, print_grid, printable
from nonocsp.cli.shared.endings import ExitCode, left_at_once, usage_error
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice, advising, beside, resumable

if TYPE_CHECKING:
    from nonocsp.backends.base import Backend, Outcome, Request, Task
    from nonocsp.formats import NamedPuzzle
    from nonocsp.model import Grid, Puzzle

EXITS = {
    "fine": "exactly one solution; with --task solve or count: a solution",
    "negative": "no solution, or several; or the backend got stuck or crashed",
    "limit": "a limit was hit",
}
QUICK_S = 0.05
"""Seconds after which a run is watched, to show on a terminal how far it has come."""
SHOWN = 2
"""Largest number of solutions to print: two are enough to see that they differ."""

_Task = Annotated[
    Literal["solve", "decide", "count"],
    opt.option(
        "Find one solution; decide whether there is none, one or several; count all, or up to --bound.",
        "--task",
        "-t",
    ),
]
app = command_line()


@command(
    app,
    "nonocsp solve cat.non",
    "nonocsp solve --backend sat:solver=cadical195 --limit 10s --json set.txt",
    "nonocsp solve --jobs 2 --json puzzles/ set.tar.xz > results.jsonl",
    "nonocsp solve --index 3 --output cat.svg set.txt.gz",
    "nonocsp solve --task count cat.non",
    "nonocsp solve --proof proofs cat.non",
    **EXITS,
    see="backends, check, certificate verify, mend, difficulty",
)
@opt.grouped
def solve(
    files: opt.Files,
    *,
    backend: opt.Spec = DEFAULT,
    task: _Task = "decide",
    bound: opt.Bound = None,
    seed: opt.Seed = 0,
    limit: opt.WallLimit = None,
    memory: opt.Memory = None,
    jobs: opt.Jobs = 1,
    choice: Choice,
    output: Annotated[Path | None, opt.output("Save the grids: .txt, .json, .svg or .png.")] = None,
    proof: opt.Proofs = None,
    patterns: opt.Patterns = False,
    as_json: opt.AsJson = False,
) -> None:
    """Solve puzzles and say whether the solution is unique.

    Prints each grid with its clues, the answer, how the run ended, the time and statistics. Every grid is
    verified against the clues.
    """
    from nonocsp.backends.base import Answer, Limits, Request, Task
    from nonocsp.backends.registry import label, portable

    if patterns and (output is None or output.suffix.lower() not in (".svg", ".png")):
        raise usage_error("--patterns is for pictures; give --output a .svg or .png file")
    spec, shown = portable(backend), label(backend)
    request = Request(Task(task), Limits(wall=limit, memory=memory), seed, bound)
    if proof and (memory or jobs > 1 or task != "decide" or not spec.partition(":")[0] == DEFAULT):
        raise usage_error(f"--proof is for one job of {DEFAULT} that decides, without --memory")
    code = ExitCode.FINE
    sources = choice.puzzles(files, seed)
    with ExitStack() as stack:
        note = stack.enter_context(advising(as_json=as_json))
        solved = _proved(sources, spec, request, proof) if proof else _solved(sources, spec, request, jobs)
        pairs = stack.enter_context(closing(solved))
        done = stack.enter_context(resumable(choice))
        save = None
        if output:
            from nonocsp.cli.shared.saving import saving

            save = stack.enter_context(saving(output, files, _encoders(has_patterns=patterns)))
        for source, outcome in pairs:
            result = Result(source, shown, request.task, outcome)
            if save:
                save(result)
            if as_json:
                sys.stdout.write(f"{json.dumps(result.record())}\n")  # `print` takes half as long again
                sys.stdout.flush()
            else:
                _print_text(result, with_grids=save is None)
            code = max(code, of_outcome(outcome, request.task))
            note(source.puzzle, outcome.answer is Answer.UNSAT)
            done(source.name, source.index)
    raise typer.Exit(code)


def _proved(
    sources: Iterable[NamedPuzzle], spec: str, request: Request, folder: Path
) -> Generator[tuple[NamedPuzzle, Outcome], None, None]:
    """Yield the puzzles with their outcomes, whose statistics name the certificate that was saved."""
    from dataclasses import replace

    from nonocsp.backends.hybrid import Hybrid
    from nonocsp.backends.registry import create
    from nonocsp.certificates.maker import prove, save

    backend = create(spec)
    assert isinstance(backend, Hybrid)
    for source in sources:
        outcome, certificate = prove(source.puzzle, request, backend)
        if certificate:
            path = save(certificate, folder, source.name)
            outcome = replace(outcome, stats={**outcome.stats, "certificate": str(path)})
        yield source, outcome


def of_outcome(outcome: Outcome, task: Task) -> ExitCode:
    """Return the exit code for an outcome; a method that got stuck is a negative finding."""
    from nonocsp.backends.base import Answer, Task, Termination

    match outcome.termination:
        case Termination.WALL | Termination.CPU | Termination.MEMORY:
            return ExitCode.LIMIT
        case Termination.UNSUPPORTED:
            return ExitCode.USAGE
        case Termination.CRASHED | Termination.KILLED:
            return ExitCode.NEGATIVE
    solved = outcome.answer in (Answer.SOLVED, Answer.UNIQUE, Answer.MULTIPLE)
    fine = outcome.answer is Answer.UNIQUE if task is Task.DECIDE else solved
    return ExitCode.FINE if fine else ExitCode.NEGATIVE


def _solved(
    sources: Iterable[NamedPuzzle], spec: str, request: Request, jobs: int
) -> Generator[tuple[NamedPuzzle, Outcome], None, None]:
    """Yield the puzzles with their outcomes, in order.

    One job runs in this process, which starts fastest, if the backend needs no other to keep to the limits.
    They are enforced from outside otherwise, by ending the process that it runs in. Methods of the core
    notice Ctrl-C by themselves, so they run in the main thread unless it has progress to show.
    """
    from nonocsp.backends.base import Limits
    from nonocsp.backends.registry import create, is_program
    from nonocsp.run.many import obeys_limits, run_many, with_progress

    def outcomes(puzzles: Iterator[Puzzle]) -> Generator[Outcome, None, None]:
        if jobs == 1 and not is_program(spec):
            backend = create(spec)
            obeys = obeys_limits(backend, request)
            if sys.stderr.isatty() if obeys else request.limits == Limits():
                return _solved_here(backend, request, puzzles)
        found = run_many(puzzles, spec, request, jobs=jobs, enforced=request.limits != Limits())
        if jobs == 1 or sys.stdout.isatty():  # the results themselves show the progress
            return found
        return with_progress(found, total=None)

    return beside(sources, outcomes)


def _solved_here(
    backend: Backend, request: Request, puzzles: Iterator[Puzzle]
) -> Generator[Outcome, None, None]:
    """Run the backend in a thread: the main one stays free to notice Ctrl-C and to show progress."""
    from concurrent.futures import ThreadPoolExecutor, wait

    from nonocsp.backends.progress import line_on_terminal, watched
    from nonocsp.backends.run import run_backend
    from nonocsp.engine import StopFlag

    with left_at_once(), ThreadPoolExecutor(1) as pool:
        for puzzle in puzzles:
            sys.stdout.flush()  # what is found must not be lost
            stop = StopFlag()
            run = pool.submit(run_backend, backend, puzzle, request, stop)
            try:
                wait([run], QUICK_S if sys.stderr.isatty() else None)
                if not run.done():
                    limit = request.limits.wall
                    with (
                        line_on_terminal() as show,
                        watched(stop, puzzle, limit, show) if show else nullcontext(),
                    ):
                        wait([run])
                yield run.result()
            finally:
                stop.set()


class Result(NamedTuple):
    """What a backend found out about a puzzle."""

    source: NamedPuzzle
    backend: str
    task: Task
    outcome: Outcome

    def record(self) -> dict[str, Any]:
        """Return the JSON record, with the keys that every report of the project uses."""
        return {
            "puzzle": self.source.name,
            "index": self.source.index,
            "backend": self.backend,
            "task": str(self.task),
            **self.outcome.record(self.source.puzzle),
        }

    def grids(self) -> list[tuple[str, Grid]]:
        """Return the grids that text shows, each with a caption."""
        solutions = self.outcome.solutions
        if len(solutions) > 1:
            return [(f"solution {i}", grid) for i, grid in enumerate(solutions[:SHOWN], start=1)]
        return [("", grid) for grid in (*solutions, self.outcome.partial) if grid]

    def summary(self) -> str:
        """Return answer, termination, time and statistics, one line each."""
        from nonocsp.backends.base import Answer, Task
        from nonocsp.model import differing_cells

        outcome = self.outcome
        message = f" ({printable(outcome.message)})" if outcome.message else ""
        figure = ""
        if self.task is Task.COUNT:
            figure = f" ({_number(outcome)})"
        elif outcome.answer is Answer.PARTIAL and outcome.partial:
            figure = f" ({outcome.partial.unknown_cells} cells undecided)"
        differing = ""
        if len(outcome.solutions) > 1:
            count = int(differing_cells(outcome.solutions).sum())
            differing = f"{count} cells differ; nonocsp repair finds what to change"
        statistics = (
            f"{key} {f'{value:.4g}' if isinstance(value, float) else printable(str(value))}"
            for key, value in outcome.stats.items()
            if value
        )
        lines = {
            "answer": f"{outcome.answer}{figure}",
            "ambiguous": differing,
            "termination": f"{outcome.termination}{message}",
            "time": f"{outcome.wall_s:.4f} s wall, {outcome.cpu_s:.4f} s CPU, by {self.backend}",
            "statistics": ", ".join(statistics),
        }
        return facts(lines)


def _number(outcome: Outcome) -> str:
    """Return how many solutions there are, and how many of them are listed, as text."""
    listed = len(outcome.solutions)
    number = outcome.count_at_least if outcome.count is None else outcome.count
    bound = "" if outcome.count is not None else "at least "
    text = f"{bound}{counted(number, 'solution')}"
    return text if number == listed else f"{text}, {listed} listed"


def _print_text(result: Result, *, with_grids: bool) -> None:
    """Print the result as text, in colour on a terminal."""
    print(heading(result.source), end="\n\n" if with_grids else "\n")
    for caption, grid in result.grids() if with_grids else ():
        print(caption, end="\n" * bool(caption))
        print_grid(result.source.puzzle, grid)
        print()
    print(result.summary(), end="\n\n", flush=True)


def _encoders(*, has_patterns: bool) -> dict[str, Callable[[Result], bytes]]:
    """Return how to write a result to a file, by suffix; with patterns, pictures hatch the colours."""
    return {
        ".txt": lambda result: f"{_plain(result)}\n\n".encode(),
        ".json": lambda result: f"{json.dumps(result.record())}\n".encode(),
        ".svg": partial(_picture, suffix=".svg", has_patterns=has_patterns),
        ".png": partial(_picture, suffix=".png", has_patterns=has_patterns),
    }


def _plain(result: Result) -> str:
    from nonocsp.render.plain import plain

    puzzle = result.source.puzzle
    grids = (f"{caption}\n{plain(puzzle, grid)}".lstrip("\n") for caption, grid in result.grids())
    return "\n\n".join([heading(result.source), *grids, result.summary()])


def _picture(result: Result, *, suffix: str, has_patterns: bool) -> bytes:
    """Draw the first solution, or else the partial grid; cells that differ are marked."""
    from nonocsp.model import differing_cells
    from nonocsp.render.png import to_png
    from nonocsp.render.svg import to_svg

    puzzle, solutions = result.source.puzzle, result.outcome.solutions
    grid = solutions[0] if solutions else result.outcome.partial
    marked = differing_cells(solutions) if solutions else None
    if suffix == ".png":
        return to_png(puzzle, grid, marked=marked, has_patterns=has_patterns)
    return to_svg(puzzle, grid, marked=marked, has_patterns=has_patterns).encode()
