"""Count what recognition and conversion do: ``python -m tools.recognition matrix | files | texts | pairs``.

- ``matrix``: the written form of puzzles in every format, offered without a name to every reader;
- ``files``: every file of folders, such as ../shared/datasets, offered with its name and without;
- ``texts``: texts that are no puzzles, such as those of the installed packages;
- ``pairs``: puzzles written in one format, read, written in another and read again.

The exit code is 1 if a file is read as another puzzle, or a text as one.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import numpy as np
import typer

from nonocsp.formats import Format, formats, load_all, save
from nonocsp.model import Colour, FormatWarning, Grid, NonocspError, Palette, Puzzle, UsageError

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)

KINDS = ("black and white", "coloured", "with empty lines", "one row", "one column", "filled", "on black")
TEXT_SUFFIXES = (
    *(".c", ".cfg", ".cmake", ".conf", ".cpp", ".css", ".csv", ".h", ".hpp", ".html", ".ini", ".js", ".json"),
    *(".log", ".md", ".po", ".py", ".pyi", ".rst", ".sh", ".svg", ".tex", ".toml", ".ts", ".tsv", ".txt"),
    *(".xml", ".yaml", ".yml"),
)
MOST_BYTES = 1 << 20
"""Longer texts are left out of ``texts``."""


def puzzles(seed: int) -> Iterator[Puzzle]:
    """Yield puzzles of all `KINDS` in turn, without end; some have titles, some no goal."""
    random = np.random.default_rng(seed)
    for number, kind in enumerate(cycle(KINDS)):
        shape = [int(side) for side in random.integers(1, 11, size=2)]
        shape[0] = 1 if kind == "one row" else shape[0]
        shape[1] = 1 if kind == "one column" else shape[1]
        several = kind in ("coloured", "on black") or random.random() < 0.3
        palette = Palette.of(int(random.integers(2, 6)) if several else 1)
        cells = random.integers(0 if kind != "filled" else 1, len(palette), size=shape)
        if kind == "with empty lines":
            cells[random.random(shape[0]) < 0.4] = 0
        if kind == "on black":
            night = Colour("night", "#000008", ".")
            palette = Palette(
                (night, *(colour._replace(char=chr(97 + i)) for i, colour in enumerate(palette[1:])))
            )
        puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=palette)
        if number % 3 == 0:
            puzzle = replace(puzzle, title=f"Puzzle {number}", author="Ann", licence="CC0", source="here")
        yield replace(puzzle, goal=None) if number % 5 == 4 else puzzle


def hashes(path: Path, **options: object) -> list[str] | str:
    """Return the hashes of the puzzles in a file, or why it is not read."""
    try:
        return [puzzle.canonical_hash for puzzle in load_all(path, **options)]  # type: ignore[arg-type]
    except NonocspError as error:
        return str(error)


def count_matrix(sample: Iterable[Puzzle], folder: Path) -> Counter[tuple[str, str]]:
    """Return how many written forms of each format were read, refused, not written, or misread."""
    found: Counter[tuple[str, str]] = Counter()
    path = folder / "puzzle"
    for puzzle in sample:
        for known in filter(lambda known: known.can_write, formats()):
            try:
                lost = save(puzzle, path, format=known.name)
            except UsageError:
                lost = ["clues"]
            if "clues" in lost or any(name.startswith("size") for name in lost):
                found[known.name, "not written"] += 1  # or only to be read with its size, as the writer said
                continue
            read = hashes(path)
            is_same = read == [puzzle.canonical_hash]
            found[known.name, "read" if is_same else "refused" if isinstance(read, str) else "misread"] += 1
    return found


def count_texts(paths: Iterable[Path]) -> tuple[Counter[str], list[Path]]:
    """Return how texts are refused, and those that are read as puzzles."""
    found: Counter[str] = Counter()
    read: list[Path] = []
    for path in paths:
        answer = hashes(path)
        if isinstance(answer, str):
            nearest = answer.partition("the nearest is ")[2].partition(",")[0]
            kind = f"nearest {nearest}" if nearest else "no format is near"
            found[kind if "is not recognised" in answer else "refused by a reader"] += 1
        else:
            read.append(path)
    return found, read


def texts_in(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the texts below folders: files with a suffix of texts or none, neither links nor empty."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            is_text = path.suffix.lower() in TEXT_SUFFIXES or path.name.isupper()
            if is_text and path.is_file() and not path.is_symlink() and 0 < path.stat().st_size <= MOST_BYTES:
                yield path


def count_pairs(sample: Iterable[Puzzle], folder: Path) -> Counter[str]:
    """Return how many puzzles came through each pair of formats unchanged, were refused, or changed."""
    found: Counter[str] = Counter()
    writing = [known for known in formats() if known.can_write]
    for puzzle in sample:
        firsts = [_through(puzzle, known, folder) for known in writing]
        seconds: dict[Puzzle, Counter[str]] = {}
        for first in firsts:
            if first is None:
                found["refused"] += len(writing)
                continue
            if first not in seconds:
                ends = [_through(first, known, folder) for known in writing]
                seconds[first] = Counter(
                    "refused"
                    if end is None
                    else ("changed", "same")[end.canonical_hash == puzzle.canonical_hash]
                    for end in ends
                )
            found.update(seconds[first])
    return found


def _through(puzzle: Puzzle, known: Format, folder: Path) -> Puzzle | None:
    """Return the puzzle after writing and reading it in a format; None if it is refused."""
    path = folder / "puzzle"
    try:
        lost = save(puzzle, path, format=known.name)
    except UsageError:
        return None
    size = puzzle.shape if any(name.startswith("size") for name in lost) else None
    (read,) = load_all(path, format=known.name, size=size)
    return read


Count = Annotated[int, typer.Option(help="Number of puzzles.")]
Seed = Annotated[int, typer.Option(help="Of the random numbers.")]
Folders = Annotated[list[Path], typer.Argument(help="Folders; all files below them.")]


@app.command()
def matrix(count: Count = 500, seed: Seed = 1) -> None:
    """Offer the written form of puzzles in every format to every reader."""
    with TemporaryDirectory() as folder:
        found = count_matrix(islice(puzzles(seed), count), Path(folder))
    kinds = ("read", "refused", "not written", "misread")
    print(f"{'format':16}", *(f"{kind:>12}" for kind in kinds))
    names = [known.name for known in formats() if known.can_write]
    for name in names:
        print(f"{name:16}", *(f"{found[name, kind]:12}" for kind in kinds))
    files = sum(number for (_, kind), number in found.items() if kind != "not written")
    print(f"{files} files, offered to {len(formats())} readers: {files * len(formats())} pairs")
    raise typer.Exit(any(kind == "misread" for _, kind in found))


@app.command()
def files(folders: Folders) -> None:
    """Offer files with their names and without; both must give the same puzzles if both are read."""
    found: Counter[str] = Counter()
    different = []
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "file"
        for path in sorted(path for top in folders for path in top.rglob("*") if path.is_file()):
            plain.write_bytes(path.read_bytes())
            named, bare = hashes(path), hashes(plain)
            both = not (isinstance(named, str) or isinstance(bare, str))
            found["read" if both else "refused" if isinstance(named, str) else "read by its name only"] += 1
            if isinstance(named, str) != isinstance(bare, str) or (both and named != bare):
                different.append(path)
    print(", ".join(f"{kind}: {number}" for kind, number in found.items()))
    for path in different:
        print(f"differs without its name: {path}")


@app.command()
def texts(folders: Folders, most: Annotated[int, typer.Option(help="Number of texts.")] = 10_000) -> None:
    """Offer texts that are no puzzles."""
    chosen = list(texts_in(folders))
    chosen = chosen[:: max(1, len(chosen) // most)][:most]
    found, read = count_texts(chosen)
    for kind, number in found.most_common():
        print(f"{kind:24}{number:8}")
    for path in read:
        print(f"read as a puzzle: {path}")
    print(f"{len(chosen)} texts, {len(read)} read as puzzles")
    raise typer.Exit(bool(read))


@app.command()
def pairs(count: Count = 2000, seed: Seed = 1) -> None:
    """Write and read puzzles through every pair of formats."""
    with TemporaryDirectory() as folder:
        found = count_pairs(islice(puzzles(seed), count), Path(folder))
    number = sum(known.can_write for known in formats())
    print(f"{count} puzzles through {number}x{number} pairs of formats:", dict(found))
    raise typer.Exit(bool(found["changed"]))


if __name__ == "__main__":
    warnings.simplefilter("ignore", FormatWarning)
    app()
