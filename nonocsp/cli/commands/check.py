"""``nonocsp check``: several backends on the puzzles of some files, their answers compared."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared import values
from nonocsp.cli.shared.completion import complete_backends
from nonocsp.cli.shared.console import json_line, printable
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice, advising, resumable

if TYPE_CHECKING:
    from nonocsp.backends.base import Outcome
    from nonocsp.bench.agreement import Checked, Tally


_LIMIT = 60.0
_LISTED = 100
"""The most solutions that each backend lists of a puzzle with several."""
_INDEPENDENT = {"sat": "sat:root=no"}
"""Backends that, unless others are asked for, do without the line solver that all others share."""

app = command_line()


@command(
    app,
    "nonocsp check cat.non",
    "nonocsp check --backends sat:solver=cadical195,encoding=direct,cpsat set.txt",
    "nonocsp check --backends sat --backends gac --limit 10s --jobs 2 *.non",
    "nonocsp check --json --save wrong --index 1-20 set.txt.gz",
    "nonocsp check --certificate proofs cat.non",
    fine="all backends agree",
    negative="two answers contradict each other, a crash, or --expect fails",
    limit="a limit left a puzzle undecided, or a claim without its proof",
    see="solve, certificate verify, bench",
)
@opt.grouped
def check(
    files: opt.Files,
    *,
    backends: Annotated[
        list[str] | None,
        opt.option(
            "Backends to compare; may be repeated.  [default: all complete ones without an extra]",
            "--backends",
            "-b",
            metavar="SPEC,SPEC…",
            autocompletion=complete_backends,
        ),
    ] = None,
    task: Annotated[
        Literal["decide", "count"],
        opt.option(
            "Decide whether there is none, one or several; or count all, or up to --bound.", "--task", "-t"
        ),
    ] = "decide",
    expect: Annotated[
        Literal["unique"] | None,
        opt.option("Fail unless each puzzle has exactly one solution.", "--expect", panel=opt.MORE),
    ] = None,
    bound: Annotated[
        int | None,
        opt.option(
            "Most solutions to list: of all puzzles if --task is count  [default: all], else of those with "
            f"several; 1 lists none.  [default: {_LISTED}]",
            metavar="N|all",
            parser=values.bound,
            panel=opt.MORE,
        ),
    ] = None,
    limit: opt.WallLimit = None,
    memory: opt.Memory = None,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    choice: Choice,
    save: Annotated[
        Path, opt.file("Save puzzles on which backends fail or disagree in FOLDER.", metavar="FOLDER")
    ] = Path("failures"),
    certificate: Annotated[
        Path | None,
        opt.file("Write a proof that anyone can check for each puzzle to FOLDER.", metavar="FOLDER"),
    ] = None,
    as_json: opt.AsJson = False,
) -> None:
    """Compare what several backends say about the same puzzles.

    The wall limit of each run is 60 s unless --limit sets another one. Every grid is verified against the
    clues. Of a puzzle with several solutions, backends list some, within a second, to find out which overlook
    one. If two answers contradict each other or a backend crashes, the puzzle is saved.
    """
    from nonocsp.backends.base import Limits, Request, Task
    from nonocsp.backends.registry import canonical_spec, complete_names, label, split_specs
    from nonocsp.bench.agreement import CERTIFICATE, Finding, Tally, certified, check_puzzles, save_finding

    asked = [canonical_spec(spec) for text in backends or () for spec in split_specs(text)]
    specs = list(dict.fromkeys(asked)) or [_INDEPENDENT.get(name, name) for name in complete_names()]
    request = Request(Task(task), Limits(wall=limit or _LIMIT, memory=memory), seed, bound)
    listed = (bound or _LISTED) if request.task is Task.DECIDE else 0
    sources = choice.puzzles(files, seed)
    columns = [*map(label, specs), *([CERTIFICATE] if certificate else [])]
    table, tally, unproved, unexpected = _Table(columns), Tally(columns), 0, 0
    if not as_json:
        table.print_head()
    with advising(as_json=as_json) as note, resumable(choice) as done:
        try:
            for compared in check_puzzles(sources, specs, request, jobs=jobs, listed=listed):
                checked = certified(compared, certificate) if certificate else compared
                tally.add(checked)
                if as_json:
                    print(json_line(checked.record()), flush=True)
                else:
                    table.print_row(checked)
                if certificate and (missing := checked.outcomes[CERTIFICATE].message):
                    unproved += 1
                    typer.echo(f"{checked.source.name}: no certificate: {missing}", err=True)
                if not checked.is_sound:
                    _print_failure(checked, save_finding(checked, save), to_stderr=as_json)
                is_wrong = _is_wrong(checked, expect)
                unexpected += is_wrong and expect is not None
                note(checked.source.puzzle, is_wrong)
                done(checked.source.name, checked.source.index)
        finally:  # sum up the findings even after Ctrl-C or an error
            if tally.findings.total():
                _print_summary(tally, to_stderr=as_json)
    if tally.findings[Finding.DISAGREED] or tally.findings[Finding.BROKEN] or unexpected:
        raise typer.Exit(ExitCode.NEGATIVE)
    raise typer.Exit(ExitCode.LIMIT if tally.findings[Finding.UNDECIDED] or unproved else ExitCode.FINE)


def _is_wrong(checked: Checked, expect: str | None) -> bool:
    """Return whether a backend says that there is no solution, or several where one is expected."""
    from nonocsp.backends.base import Answer

    wrong = (Answer.UNSAT, Answer.MULTIPLE) if expect else (Answer.UNSAT,)
    return checked.is_sound and any(outcome.answer in wrong for outcome in checked.outcomes.values())


def _print_failure(checked: Checked, path: Path, *, to_stderr: bool) -> None:
    """Print contradictions and crashes, and where the puzzle is saved."""
    for disagreement in checked.disagreements:
        typer.echo(printable(f"DISAGREEMENT {disagreement}"), err=to_stderr)
    for backend, outcome in checked.crashes():
        typer.echo(f"BROKEN {checked.source.name}: {backend}: {outcome.message}", err=to_stderr)
    typer.echo(f"the puzzle is saved as {path}, the answers beside it", err=to_stderr)


_SIZE, _CELL, _FINDING, _NAME = 5, 13, 6, 8
"""Widths of the columns in characters: the finding may be longer, the name gets at least `_NAME`."""
_NO_BREAK = "\N{NO-BREAK SPACE}"


class _Table:
    """Print a row per puzzle at once, in fixed widths; a paragraph if the backends are too many for that."""

    def __init__(self, backends: Sequence[str]) -> None:
        import shutil  # imports the archive modules

        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
        rest = width - (_SIZE + 1) - len(backends) * (_CELL + 1) - (_FINDING + 1)
        self._backends = backends
        self._width = width
        self._name = rest if rest >= _NAME else 0

    def print_head(self) -> None:
        """Print the names of the columns, long specs on several lines."""
        if not self._name:
            return
        specs = [[spec[i : i + _CELL] for i in range(0, len(spec), _CELL)] for spec in self._backends]
        for i, parts in enumerate(zip_longest(*specs, fillvalue="")):
            self._print("" if i else "puzzle", "" if i else "size", parts, "")

    def print_row(self, checked: Checked) -> None:
        """Print the row of a puzzle: its name, its size, the answers and the finding."""
        name = printable(checked.source.name)
        size = "x".join(map(str, checked.source.puzzle.shape))
        cells = [_cell(outcome) for outcome in checked.outcomes.values()]
        if self._name:
            short = name if len(name) <= self._name else f"…{name[1 - self._name :]}"
            self._print(short, size, cells, checked.finding)
        else:
            print(f"{name} {size} {checked.finding}")
            said = [  # lines break between two backends, never within one
                f"{backend} {cell}".replace(" ", _NO_BREAK)
                for backend, cell in zip(self._backends, cells, strict=True)
            ]
            paragraph = fill(", ".join(said), self._width - 1, initial_indent="  ", subsequent_indent="  ")
            print(paragraph.replace(_NO_BREAK, " "), flush=True)

    def _print(self, name: str, size: str, cells: Sequence[str], finding: str) -> None:
        middle = " ".join(cell.ljust(_CELL) for cell in cells)
        line = f"{name:<{self._name}} {size:<{_SIZE}} {middle} {finding}"
        print(line.rstrip(), flush=True)


def _cell(outcome: Outcome) -> str:
    """Return answer or count (or what ended the run) and time, at most `_CELL` characters."""
    from nonocsp.backends.base import Termination
    from nonocsp.bench.agreement import ended_how

    if outcome.termination is Termination.UNSUPPORTED:
        return str(outcome.termination)
    seconds = outcome.wall_s  # in at most four characters up to 999 s
    if seconds < 0.0995:
        time = "<1ms" if seconds < 0.001 else f"{1000 * seconds:.0f}ms"
    else:
        time = f"{seconds:.1f}s" if seconds < 9.95 else f"{seconds:.0f}s"
    return f"{ended_how(outcome) if outcome.count is None else _brief(outcome.count)} {time}"


def _brief(number: int) -> str:
    """Return a number of solutions in at most eight characters."""
    text = str(number)
    return text if len(text) <= 8 else f"{text[0]}.{text[1:3]}e{len(text) - 1}"


def _print_summary(tally: Tally, *, to_stderr: bool) -> None:
    typer.echo(f"\n{tally}", err=to_stderr)
    width = max(map(len, tally.backends), default=0)
    for backend, ended in tally.ended.items():
        counts = ", ".join(f"{count} {how}" for how, count in ended.most_common())
        typer.echo(f"{backend:<{width}}  {counts}", err=to_stderr)
