"""Packs: a set of puzzles from several pictures, graded from small and easy to large and hard.

The puzzle with number i of n is somewhat larger than the one before, on its longer side; the other follows
the picture. The difficulty that it aims at grows with its cells. It is chosen among what the picture gives as
it is, as an outline and as both, and what *Vary* makes of these: the one nearest to its aim, where a changed
cell counts as much as a sweep, so that nothing is disfigured for a number.

Every puzzle is certified: two backends that share no way of solving must find that its solution is the only
one. Everything follows from the pictures and the seed. Thirty puzzles take about 15 s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path

import numpy as np

from nonocsp.backends.base import Answer, Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.making.generated import solution
from nonocsp.making.motifs import MOTIFS, Motif
from nonocsp.making.picture import Picture
from nonocsp.making.prepared import Prepared
from nonocsp.making.preparing import Edges, Preparation, Threshold, prepare
from nonocsp.making.proving import graded
from nonocsp.making.puzzles import Wish, puzzles
from nonocsp.making.reading import AnyPicture, read_picture
from nonocsp.model import BackendError, FormatError, Puzzle, UsageError

CERTIFIERS = ("hybrid", "sat")
SMALLEST, LARGEST = 10, 30
DEPTH = 12
"""Cells that *Vary* may change."""
CELLS_PER_SWEEP = 20
"""A puzzle aims at a sweep for each so many cells: 5 at 10x10, 45 at 30x30."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a puzzle is made of; its title is the name without a suffix."""

    name: str
    picture: AnyPicture
    preparation: Preparation = field(default_factory=Preparation)

    @property
    def title(self) -> str:
        """What the puzzle is called."""
        return Path(self.name).stem


@dataclass(frozen=True, slots=True)
class Packed:
    """A certified puzzle of a pack.

    Parameters
    ----------
    puzzle
        With its only solution as its goal, and the name of what it shows as its title.
    difficulty
        Sweeps.
    class_
        ``"trivial"`` or ``"simple"``, as the meter says.
    """

    puzzle: Puzzle
    difficulty: int
    class_: str


@dataclass(frozen=True, slots=True)
class Pack:
    """Puzzles, the easiest first, and what was left out.

    Parameters
    ----------
    skipped
        Subjects that no puzzle could be made of, with the reason.
    """

    puzzles: tuple[Packed, ...]
    skipped: dict[str, str]
    seed: int


@dataclass(frozen=True, slots=True)
class _Candidate:
    puzzle: Puzzle
    difficulty: int
    changed: int


def motif_subjects(*, in_colour: bool = True) -> list[Subject]:
    """Return the project's own motifs, each in its colours or all black on white."""
    return [_motif_subject(motif, motif.is_coloured and in_colour) for motif in MOTIFS]


def _motif_subject(motif: Motif, in_colour: bool) -> Subject:
    drawn = Preparation(palette=motif.palette) if in_colour else Preparation(threshold=Threshold.OTSU)
    return Subject(motif.name, motif.image(in_colour=in_colour), drawn)


def folder_subjects(folder: Path, preparation: Preparation) -> list[Subject]:
    """Return the files of a folder, by name; UsageError if there are none, or no folder."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder; a pack is made of a folder of pictures")
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not files:
        raise UsageError(f"{folder} has no files; name a folder of pictures")
    return [Subject(path.name, path, preparation) for path in files]


def make_pack(
    subjects: Sequence[Subject], *, count: int = 30, seed: int = 0, jobs: int | None = None
) -> Pack:
    """Make a pack.

    Parameters
    ----------
    subjects
        Used in this order: evenly chosen if they are more than the puzzles, again from the first if fewer.
    count
        Puzzles; there are fewer if the pictures have no more.
    jobs
        Threads; by default one a core.

    Raises
    ------
    UsageError
        If no subject can be read as a picture and be prepared.
    BackendError
        If a puzzle does not turn out unique.
    """
    packed: list[Packed] = []
    skipped: dict[str, str] = {}
    for subject in cycle(_spread(subjects, count)):
        if len(packed) == count or len(skipped) == len(subjects):
            break
        if subject.name in skipped:
            continue
        try:
            made = _made(subject, _side(len(packed), count), Wish(vary=DEPTH, seed=seed, jobs=jobs), packed)
        except (FormatError, UsageError) as error:
            skipped[subject.name] = str(error)
        else:
            packed.append(made)
    if not packed:
        raise UsageError(f"none of the pictures can be used: {next(iter(skipped.values()))}")
    return Pack(tuple(sorted(packed, key=_rank)), skipped, seed)


def certify(puzzle: Puzzle) -> None:
    """Raise BackendError unless every certifier finds the goal, and that it is the only solution."""
    for backend in CERTIFIERS:
        outcome = run_backend(create(backend), puzzle, Request(), StopFlag())
        if outcome.answer is not Answer.UNIQUE or outcome.solutions != (puzzle.goal,):
            raise BackendError(f"{backend} says {outcome.answer} of {puzzle.title!r}; please report it")


def _rank(packed: Packed) -> tuple[int, int, str]:
    rows, columns = packed.puzzle.shape
    return packed.difficulty, rows * columns, packed.puzzle.title


def _spread(subjects: Sequence[Subject], count: int) -> list[Subject]:
    """Return as many subjects as puzzles from first to last, and then those between them."""
    chosen = sorted({number * (len(subjects) - 1) // max(count - 1, 1) for number in range(count)})
    others = [number for number in range(len(subjects)) if number not in chosen]
    return [subjects[number] for number in (*chosen, *others)]


def _side(number: int, count: int) -> int:
    return SMALLEST + round((LARGEST - SMALLEST) * number / max(count - 1, 1))


def _made(subject: Subject, side: int, wish: Wish, earlier: Iterable[Packed]) -> Packed:
    """Return the best puzzle of a subject that the pack does not have yet."""
    known = {packed.puzzle.canonical_hash for packed in earlier}
    picture = _read(subject.picture, side)
    aim = picture.grey.size / CELLS_PER_SWEEP
    found = [
        one
        for one in _candidates(picture, subject.preparation, wish)
        if one.puzzle.canonical_hash not in known
    ]
    if not found:
        raise FormatError("there is no further puzzle in it", file=subject.name)
    best = min(found, key=lambda one: abs(one.difficulty - aim) + one.changed)
    puzzle = replace(best.puzzle, title=subject.title)
    certify(puzzle)
    return Packed(puzzle, *graded(puzzle))


def _read(picture: AnyPicture, side: int) -> Picture:
    """Return a picture whose longer side has so many cells."""
    high = read_picture(picture, (side, None))
    return high if high.shape[1] <= side else read_picture(picture, (None, side))


def _candidates(picture: Picture, preparation: Preparation, wish: Wish) -> Iterator[_Candidate]:
    for edges in Edges:
        prepared = prepare(picture, replace(preparation, edges=edges))
        for clears in (False, True):
            for one in puzzles(prepared, replace(wish, clears=clears)):
                yield _Candidate(one.puzzle, one.difficulty, _changed(one.puzzle, prepared))
                for varied in one.varied:
                    yield _Candidate(varied.puzzle, varied.difficulty, _changed(varied.puzzle, prepared))


def _changed(puzzle: Puzzle, prepared: Prepared) -> int:
    """Return how many cells differ from the image that generating started from."""
    return int(np.count_nonzero(solution(puzzle) != prepared.start))
