"""Read the puzzles of a command, all or a selection, and say which clue of a single one is wrong."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import counted, printable
from nonocsp.cli.shared.endings import last_words, usage_error

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle
    from nonocsp.model import NonocspError, Puzzle, PuzzleError

Result = TypeVar("Result")
_AFTER_ERROR = 1.0
"""Seconds for the advice with an error."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which puzzles of its files a command takes, and how it reads them: options of every such command."""

    index: opt.Selection = None
    sample: Annotated[
        int | None,
        opt.number("Only N of these puzzles, chosen by chance with --seed.", least=1, panel=opt.INPUT),
    ] = None
    input_format: opt.InputFormat = None
    size: opt.PuzzleSize = None
    cell: opt.Cell = None
    invert: opt.Invert = False
    columns_first: opt.ColumnsFirst = False
    transpose: opt.Transpose = False

    def puzzles(
        self, files: Iterable[str], seed: int = 0, *, kept: list[PuzzleError] | None = None
    ) -> Iterator[NamedPuzzle]:
        """Yield the puzzles of all files, in their order.

        A file of a folder or archive that cannot be read is told at once, or added to `kept` if its clues
        only contradict each other; the others are read on.
        """
        from nonocsp.formats.naming import sampled

        failures = 0

        def tell(error: NonocspError) -> None:
            nonlocal failures
            if kept is not None and getattr(error, "draft", None):
                kept.append(cast("PuzzleError", error))
                return
            failures += 1
            typer.echo(f"error: {printable(str(error))}", err=True)

        chosen = self._selected(files, tell)
        yield from chosen if self.sample is None else sampled(chosen, self.sample, seed)
        if failures:
            raise usage_error(f"{counted(failures, 'file')} could not be read; the others were")

    def _selected(
        self, files: Iterable[str], failed: Callable[[NonocspError], None]
    ) -> Iterator[NamedPuzzle]:
        from nonocsp.formats import load_named
        from nonocsp.formats.files import split_number
        from nonocsp.formats.registry import no_such_puzzle
        from nonocsp.formats.source import ReadOptions

        wanted = self.index
        options = ReadOptions(self.cell, self.invert, self.columns_first, self.transpose)
        for file in files:
            if wanted and split_number(file)[1]:
                raise usage_error(f"{file} names one puzzle; leave out --index")
            index = 0
            for named in load_named(
                file, format=self.input_format, size=self.size, options=options, failed=failed
            ):
                index = named.index
                if wanted is None or index in wanted:
                    yield named
                if wanted and index == wanted[-1]:
                    break
            if wanted and index < wanted[0]:
                raise no_such_puzzle(file, wanted[0], index)


def beside(
    sources: Iterable[NamedPuzzle], run: Callable[[Iterator[Puzzle]], Generator[Result, None, None]]
) -> Generator[tuple[NamedPuzzle, Result], None, None]:
    """Yield the puzzles with the results that `run` yields for them, in order; it may read ahead."""
    waiting: deque[NamedPuzzle] = deque()

    def puzzles() -> Iterator[Puzzle]:
        for source in sources:
            waiting.append(source)
            yield source.puzzle

    with closing(run(puzzles())) as results:
        for result in results:
            yield waiting.popleft(), result


@contextmanager
def resumable(choice: Choice) -> Iterator[Callable[[str, int], None]]:
    """Provide the function to call with each finished puzzle; after Ctrl-C, say how to go on."""
    last = "", 0

    def advice() -> str:
        name, index = last
        rest = f"; in that file go on with --index {index + 1}-" if index > 1 or name.endswith("#1") else ""
        return f"done up to {printable(name)}{'' if choice.sample else rest}"

    def done(name: str, index: int) -> None:
        nonlocal last
        last = name, index
        last_words(advice)

    try:
        yield done
    except KeyboardInterrupt:
        if last[0]:
            typer.echo(advice(), err=True)
        raise


@contextmanager
def advising(*, as_json: bool) -> Iterator[Callable[[Puzzle, bool], None]]:
    """Provide the function to call with each puzzle, and whether a clue of it must be wrong.

    At the end, or with the error that ends reading, say which one, if it was the only puzzle. With JSON, only
    errors get advice; ``nonocsp mend --json`` says the rest.
    """
    puzzles, only = 0, None

    def note(puzzle: Puzzle, is_wrong: bool) -> None:
        nonlocal puzzles, only
        puzzles += 1
        only = puzzle if is_wrong and puzzles == 1 else None

    try:
        yield note
    except Exception as error:
        draft = getattr(error, "draft", None)
        if draft and not puzzles:
            vars(error)["message"] += f"\n{_advice(draft, _AFTER_ERROR)}"
        raise
    if only and not as_json:
        from nonocsp.making.mend import LIMIT

        print(_advice(only, LIMIT), end="\n\n", flush=True)


def _advice(clues: Any, limit: float) -> str:
    """Return which clue is wrong; if that is not clear, which lines contradict each other."""
    from nonocsp.making.mend import mend

    found = mend(clues, limit=limit)
    lines = "" if found.found else found.contradiction_text()
    return printable("; ".join(filter(None, (lines, str(found)))))
