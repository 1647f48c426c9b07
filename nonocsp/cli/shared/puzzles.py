"""Read the puzzles of a command: all of its files, or a selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.endings import last_words
from nonocsp.cli.shared.options import INPUT, InputFormat, PuzzleSize, Selection

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle
    from nonocsp.model import NonocspError


@dataclass(frozen=True, slots=True)
class Choice:
    """Which puzzles of its files a command takes, and how it reads them: options of every such command."""

    index: Selection = None
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Only N of these puzzles, chosen by chance with --seed.",
            rich_help_panel=INPUT,
        ),
    ] = None
    input_format: InputFormat = None
    size: PuzzleSize = None

    def puzzles(self, files: Iterable[str], seed: int = 0) -> Iterator[NamedPuzzle]:
        """Yield the puzzles of all files, in their order.

        A file of a folder or archive that cannot be read is told at once; the others are read on.

        Parameters
        ----------
        files
            Files, folders, archives, globs, ``FILE#3``, or ``-`` for standard input.
        seed
            Of the sample.

        Raises
        ------
        UsageError
            If a file ends before the first selected place; at the end, if files could not be read.
        """
        from nonocsp.formats.naming import sampled
        from nonocsp.model import UsageError

        failures = 0

        def tell(error: NonocspError) -> None:
            nonlocal failures
            failures += 1
            typer.echo(f"error: {printable(str(error))}", err=True)

        chosen = self._selected(files, tell)
        yield from chosen if self.sample is None else sampled(chosen, self.sample, seed)
        if failures:
            raise UsageError(f"{failures} file{'s' * (failures != 1)} could not be read; the others were")

    def _selected(
        self, files: Iterable[str], failed: Callable[[NonocspError], None]
    ) -> Iterator[NamedPuzzle]:
        from nonocsp.formats import load_named
        from nonocsp.formats.containers import split_number
        from nonocsp.formats.registry import no_such_puzzle
        from nonocsp.model import UsageError

        wanted = self.index
        for file in files:
            if wanted and split_number(file)[1]:
                raise UsageError(f"{file} names one puzzle; leave out --index")
            index = 0
            for named in load_named(file, format=self.input_format, size=self.size, failed=failed):
                index = named.index
                if wanted is None or index in wanted:
                    yield named
                if wanted and index == wanted[-1]:
                    break
            if wanted and index < wanted[0]:
                raise no_such_puzzle(file, wanted[0], index)


@contextmanager
def resumable(choice: Choice) -> Iterator[Callable[[str, int], None]]:
    """Provide the function to call with each finished puzzle; after Ctrl-C, say how to go on."""
    advice = ""

    def done(name: str, index: int) -> None:
        nonlocal advice
        rest = f"; in that file go on with --index {index + 1}-" if index > 1 or name.endswith("#1") else ""
        advice = f"done up to {printable(name)}{'' if choice.sample else rest}"
        last_words(advice)

    try:
        yield done
    except KeyboardInterrupt:
        if advice:
            typer.echo(advice, err=True)
        raise
