"""``nonocsp explain``: how a person solves puzzles, step by step."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import heading, print_grid, printable
from nonocsp.cli.shared.endings import ExitCode, usage_error
from nonocsp.cli.shared.manual import OUTPUT, command, command_line
from nonocsp.cli.shared.puzzles import Choice, advising, resumable

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle
    from nonocsp.grading.explain import Explanation, Hint

app = command_line()


@command(
    app,
    "nonocsp explain cat.non",
    "nonocsp explain --hint mine.txt cat.non",
    "nonocsp explain --output cat.html cat.non",
    "nonocsp explain --output cat.gif --pace 500ms cat.non",
    "nonocsp explain --summary --json *.non",
    fine="explained to the end",
    negative="the techniques are not enough, or the grid of --hint is wrong",
    see="difficulty, solve",
)
@opt.grouped
def explain(
    files: opt.Files,
    *,
    hint: Annotated[
        str | None,
        opt.option(
            "Print only the next step from this half-filled grid: one character per cell, ? if open.",
            metavar="GRID",
        ),
    ] = None,
    solution: Annotated[bool, opt.option("Also compare GRID with the only solution.", "--solution")] = False,
    summary: opt.Summary = False,
    probes: Annotated[
        bool, opt.option("Use what-if steps where line solving is stuck.", "--probes/--no-probes")
    ] = True,
    output: Annotated[
        Path | None, opt.output("Save the explanation: .html, .gif, .svg, .txt or .json.")
    ] = None,
    pace: Annotated[
        float | None, opt.duration("Time per step in an animation.  [default: 1s]", panel=OUTPUT)
    ] = None,
    seed: opt.Seed = 0,
    choice: Choice,
    as_json: opt.AsJson = False,
) -> None:
    """Explain how a person solves a puzzle, step by step.

    Each step names a line, the cells that follow, and the reason. It uses the easiest technique that finds
    anything; its grade runs from 1 (count in a line) to 5 (what if?).
    """
    from nonocsp.grading.explain import Verdict
    from nonocsp.grading.explain import explain as explained

    sources = choice.puzzles(files, seed)
    if hint is not None:
        if summary or output:
            raise usage_error("--hint prints the next step only; leave out --summary and --output")
        raise typer.Exit(_give_hint(sources, hint, by_solution=solution, as_json=as_json))
    if solution:
        raise usage_error("--solution needs --hint: it compares that grid with the solution")
    code = ExitCode.FINE
    with ExitStack() as stack:
        note = stack.enter_context(advising(as_json=as_json))
        done = stack.enter_context(resumable(choice))
        save = None
        if output:
            from nonocsp.cli.shared.saving import saving

            suffixes = (".html", ".gif", ".svg", ".txt", ".json")
            encoders = {suffix: partial(_encoded, suffix=suffix) for suffix in suffixes}
            save = stack.enter_context(saving(output, files, encoders))
        for source in sources:
            found = Explained(source, explained(source.puzzle, probes=probes), pace or 1.0)
            if save:
                save(found)
            (_print_json if as_json else _print_text)(found, with_steps=not (summary or save))
            if found.explanation.verdict is not Verdict.SOLVED:
                code = ExitCode.NEGATIVE
            note(source.puzzle, found.explanation.verdict is Verdict.CONTRADICTION)
            done(source.name, source.index)
    raise typer.Exit(code)


def _give_hint(sources: Iterator[NamedPuzzle], grid: str, *, by_solution: bool, as_json: bool) -> ExitCode:
    """Print the next step from a grid, or what is wrong in it."""
    from nonocsp.formats.grids import load_grid
    from nonocsp.grading.explain import hint

    source = next(sources)
    if next(sources, None):
        raise usage_error(
            "--hint takes one puzzle; name one file, and choose one of its puzzles with --index"
        )
    found = hint(source.puzzle, load_grid(grid, source.puzzle), by_solution=by_solution)
    _print_hint(source, found, as_json=as_json)
    if found.clash:
        typer.echo("if the puzzle has one solution, --solution names the wrong cells", err=True)
    helps = found.is_sound and (found.steps or found.grid.is_full)
    return ExitCode.FINE if helps else ExitCode.NEGATIVE


@dataclass(frozen=True, slots=True)
class Explained:
    """A puzzle and its explanation."""

    source: NamedPuzzle
    explanation: Explanation
    pace: float

    def records(self, *, with_steps: bool = True) -> Iterator[dict[str, Any]]:
        """Yield a record for each step, and one for the end."""
        about = {"puzzle": self.source.name, "index": self.source.index}
        for step in self.explanation.steps if with_steps else ():
            yield about | step.record(self.source.puzzle.palette)
        yield about | self.explanation.record()

    def text(self) -> str:
        """Return everything as plain text."""
        from nonocsp.grading.explain.paragraphs import ending_text, steps_text
        from nonocsp.render.plain import plain

        end = [plain(self.source.puzzle, self.explanation.end), ending_text(self.explanation)]
        return "\n\n".join([heading(self.source), *steps_text(self.explanation), *end])


def _encoded(found: Explained, suffix: str) -> bytes:
    """Return an explanation as what a file with the suffix holds."""
    if suffix == ".gif":
        from nonocsp.grading.explain.animation import to_gif

        return to_gif(found.explanation, pace=found.pace)
    if suffix == ".svg":
        from nonocsp.grading.explain.animation import to_animated_svg

        return to_animated_svg(found.explanation, pace=found.pace).encode()
    if suffix == ".html":
        from nonocsp.grading.explain.html import to_html

        return to_html(found.explanation, pace=found.pace).encode()
    if suffix == ".json":
        return "".join(f"{json.dumps(record)}\n" for record in found.records()).encode()
    return f"{found.text()}\n\n".encode()


def _print_json(found: Explained, *, with_steps: bool) -> None:
    for record in found.records(with_steps=with_steps):
        print(json.dumps(record))
    sys.stdout.flush()


def _print_text(found: Explained, *, with_steps: bool) -> None:
    """Print how the explanation ends; before that its steps and the grid, if asked for."""
    from nonocsp.grading.explain.paragraphs import ending_text, steps_text

    print(heading(found.source), end="\n\n" if with_steps else "\n")
    if with_steps:
        for paragraph in steps_text(found.explanation, width=_width()):
            print(_safe(paragraph), end="\n\n")
        print_grid(found.source.puzzle, found.explanation.end)
        print()
    print(ending_text(found.explanation, width=_width()), end="\n\n", flush=True)


def _print_hint(source: NamedPuzzle, hint: Hint, *, as_json: bool) -> None:
    from nonocsp.grading.explain.paragraphs import hint_text

    if as_json:
        print(json.dumps({"puzzle": source.name, "index": source.index, **hint.record()}), flush=True)
        return
    print(heading(source), *map(_safe, hint_text(hint, width=_width())), sep="\n\n", flush=True)


def _safe(paragraph: str) -> str:
    """Return a paragraph without control characters, which the name of a colour may have."""
    return "\n".join(map(printable, paragraph.split("\n")))


def _width() -> int:
    """Return the characters of a line: a terminal's, at most 100; 79 elsewhere."""
    return min(100, shutil.get_terminal_size().columns) - 1 if sys.stdout.isatty() else 79
