"""``nonocsp repair``: the fewest cells whose change makes a picture the only solution."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import heading, print_grid, print_rows
from nonocsp.cli.shared.endings import ExitCode, usage_error
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice, resumable

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle
    from nonocsp.making.repair import Repairs

_TIME = 20.0

app = command_line()


@command(
    app,
    "nonocsp repair cat.png",
    "nonocsp repair --class simple --best 10 cat.non",
    "nonocsp repair --max-changes 2 --output repaired.svg cat.png",
    "nonocsp repair --output repaired.non --index 3 set.txt",
    fine="unique already, or a repair was found",
    negative="no solution at all, or no repair with so few changes",
    limit="time was up before a repair was found",
    see="solve, generate, difficulty",
)
@opt.grouped
def repair(
    files: opt.Files,
    *,
    class_: Annotated[
        Literal["unique", "simple"],
        opt.option("What must suffice to solve it: any method, or line solving.", "--class"),
    ] = "unique",
    max_changes: Annotated[
        int, opt.option("Change at most N cells.", "--max-changes", metavar="N", min=1, max=8)
    ] = 8,
    best: Annotated[int, opt.number("Show the N best repairs.", least=1)] = 5,
    time: opt.TotalTime = None,
    jobs: opt.JobsOnCores = None,
    seed: opt.Seed = 0,
    choice: Choice,
    output: Annotated[
        Path | None,
        opt.output(
            "Save the best repair: .svg or .png shows before and after, other suffixes hold the puzzle."
        ),
    ] = None,
    proof: opt.Proofs = None,
    as_json: opt.AsJson = False,
) -> None:
    """Find the fewest changes that make a puzzle unique.

    A puzzle file or a picture of one pixel a cell. Shows which cells are ambiguous, then the best repairs:
    those that change the fewest cells, and of these the ones that are hardest to see. Each repaired puzzle is
    proved to have one solution. The time limit of a puzzle is 20 s unless --time sets another one. A puzzle
    that needs no repair is saved as it is.
    """
    from nonocsp.cli.shared.saving import check_folder, refuse_inputs, save_proofs
    from nonocsp.making.repair import repair as repaired

    if output:
        refuse_inputs(output, files, "--output")
        check_folder(output)
    code, saved = ExitCode.FINE, False
    with resumable(choice) as done:
        for source in choice.puzzles(files, seed):
            if output and saved:
                raise usage_error(f"{output} holds one repair; choose one puzzle with --index")
            found = repaired(
                source.puzzle,
                class_=class_,
                max_changes=max_changes,
                best=best,
                time=time or _TIME,
                jobs=jobs,
            )
            if as_json:
                about = {"puzzle": source.name, "index": source.index, "max_changes": max_changes}
                print(json.dumps(about | found.record()), flush=True)
            else:
                _print_text(source, found, max_changes)
            if found.found or found.is_fine:
                best_one = found.found[0].puzzle if found.found else found.puzzle
                save_proofs([best_one], proof, time or _TIME)
                if output:
                    _save(found, output)
                    saved = True
            code = max(code, _exit_code(found))
            done(source.name, source.index)
    raise typer.Exit(code)


def _exit_code(found: Repairs) -> ExitCode:
    from nonocsp.backends.base import Answer

    if found.is_fine or found.found:
        return ExitCode.FINE
    over = found.is_over or found.answer is Answer.UNKNOWN
    return ExitCode.LIMIT if over else ExitCode.NEGATIVE


def _print_text(source: NamedPuzzle, found: Repairs, max_changes: int) -> None:
    """Print the ambiguous cells and a table of the repairs."""
    from nonocsp.backends.base import Answer

    print(heading(source))
    match found.answer:
        case Answer.UNSAT:
            print("no grid has these clues; repair needs the picture that they are meant to show\n")
            return
        case Answer.UNKNOWN:
            print("the time was up before it was known whether there are several solutions\n")
            return
    if found.is_fine:
        print("one solution already: nothing to repair\n")
        return
    if found.answer is Answer.MULTIPLE:
        count = int(found.ambiguous.sum())
        atleast = "" if found.is_all_ambiguous else "at least "
        print(f"several solutions: {atleast}{count} cells are ambiguous, here ?\n")
        print_grid(source.puzzle, found.with_ambiguous())
        print()
    else:
        print("one solution, but line solving does not find it")
    if not found.found:
        print(_nothing(found, max_changes), end="\n\n")
        return
    palette = found.puzzle.palette
    rows = [
        [
            str(number),
            "; ".join(change.text(palette) for change in one.changes),
            f"{one.visibility:.2f}",
            one.class_,
            str(one.sweeps),
        ]
        for number, one in enumerate(found.found, 1)
    ]
    print_rows(("", "change", "visibility", "class", "sweeps"), rows)
    print()


def _nothing(found: Repairs, max_changes: int) -> str:
    """Return what to say if there is no repair."""
    proved = "; no single cell suffices, all were tried" if found.at_least > 1 else ""
    if found.is_over:
        return f"the time was up before a repair was found{proved}; a longer --time goes on"
    cells = "one cell" if max_changes == 1 else f"up to {max_changes} cells"
    return f"no repair found that changes {cells}{proved}"


def _save(found: Repairs, output: Path) -> None:
    """Save the best repair as a picture of before and after, or as a puzzle; a fine puzzle as it is."""
    from nonocsp.cli.shared.saving import save_picture
    from nonocsp.formats import save
    from nonocsp.render.drawing import draw, side_by_side

    best = found.found[0] if found.found else None
    if output.suffix.lower() not in (".svg", ".png"):
        save(best.puzzle if best else found.puzzle, output)
    else:
        drawing = draw(found.puzzle, found.puzzle.goal, marked=found.ambiguous)
        if best:
            drawing = side_by_side(drawing, draw(best.puzzle, best.puzzle.goal, marked=best.changed))
        save_picture(drawing, output)
    typer.echo(f"{output}: {'the first repair' if best else 'the puzzle as it is'}", err=True)
