"""Make packs: sets of puzzles from several pictures, graded from small and easy to large and hard.

Size and target difficulty grow from puzzle to puzzle. Candidates are the original picture, its outline, both
together, and variations of these. The closest to the target is taken; a changed cell counts as much as a
sweep, so that a picture is not disfigured to reach the target. Two backends that solve in unrelated ways must
find that its solution is the only one. Pictures and seed determine everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, product
from math import inf, prod
from pathlib import Path

import numpy as np

from nonocsp.backends.base import Answer, Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.grading.levels import Level
from nonocsp.making.drawings import motifs
from nonocsp.making.image import Edges, PictureOptions, Threshold, prepare
from nonocsp.making.judging import RequiredClass, grade
from nonocsp.making.picture import AnyPicture, read_picture
from nonocsp.making.puzzles import Made, Production, PuzzleOptions
from nonocsp.model import BLACK_AND_WHITE, BackendError, FormatError, Puzzle, UsageError

CERTIFIERS = ("hybrid", "sat")
SMALLEST, LARGEST = 10, 30
DEPTH = 12
"""Cells that *Vary* may change."""
CELLS_PER_SWEEP = 20
"""Sets the target difficulty: 5 sweeps at 10x10, 45 at 30x30."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A picture for a pack; its name without the suffix is the title of the puzzle."""

    name: str
    picture: AnyPicture
    options: PictureOptions = field(default_factory=PictureOptions)


@dataclass(frozen=True, slots=True)
class Packed(Made):
    """A certified puzzle of a pack, titled after the picture, and its class: trivial or simple."""

    class_: str


@dataclass(frozen=True, slots=True)
class Pack:
    """Puzzles, the easiest first, and why pictures were left out, by their names."""

    puzzles: tuple[Packed, ...]
    skipped: dict[str, str]
    seed: int


def motif_subjects(*, in_colour: bool = True) -> list[Subject]:
    """Return the project's own motifs, each in its colours or all black on white."""
    return [
        Subject(
            motif.name,
            motif.image(in_colour=in_colour),
            PictureOptions(palette=motif.palette, fill_empty=True)
            if in_colour and motif.palette != BLACK_AND_WHITE
            else PictureOptions(threshold=Threshold.OTSU, fill_empty=True),
        )
        for motif in motifs()
    ]


def folder_subjects(folder: Path, options: PictureOptions) -> list[Subject]:
    """Return the files of a folder, by name."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; a pack is made of a folder of pictures")
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not files:
        raise UsageError(f"{folder} has no files; name a folder of pictures")
    return [Subject(path.name, path, options) for path in files]


def make_pack(
    subjects: Sequence[Subject], *, count: int = 30, seed: int = 0, jobs: int | None = None
) -> Pack:
    """Make a pack of at least one puzzle; fewer than `count` if the pictures give no more.

    Subjects are used in this order. If there are more than `count`, evenly chosen ones; if fewer, again from
    the first. UsageError says that no picture can be used.
    """
    options = PuzzleOptions(vary=DEPTH, class_=RequiredClass.SIMPLE, prune=False, seed=seed, jobs=jobs)
    packed: list[Packed] = []
    skipped: dict[str, str] = {}
    # Subjects evenly chosen from first to last, and then the others.
    evenly = {number * (len(subjects) - 1) // max(count - 1, 1) for number in range(count)}
    order = sorted(range(len(subjects)), key=lambda number: number not in evenly)
    for subject in cycle([subjects[number] for number in order]):
        if len(packed) == count or len(skipped) == len(subjects):
            break
        if subject.name in skipped:
            continue
        try:
            side = SMALLEST + round((LARGEST - SMALLEST) * len(packed) / max(count - 1, 1))
            packed.append(_make(subject, side, options, packed))
        except (FormatError, UsageError) as error:
            skipped[subject.name] = str(error)
    if not packed:
        raise UsageError(f"none of the pictures can be used: {next(iter(skipped.values()))}")
    levels = [*Level, None]
    packed.sort(
        key=lambda one: (levels.index(one.level), one.difficulty, prod(one.puzzle.shape), one.puzzle.title)
    )
    return Pack(tuple(packed), skipped, seed)


def certify(puzzle: Puzzle) -> None:
    """Raise BackendError unless every certifier finds the goal to be the only solution."""
    for backend in CERTIFIERS:
        outcome = run_backend(create(backend), puzzle, Request(), StopFlag())
        if outcome.answer is not Answer.UNIQUE or outcome.solutions != (puzzle.goal,):
            raise BackendError(f"{backend} finds {outcome.answer} for {puzzle.title!r}; please report it")


def _make(subject: Subject, side: int, options: PuzzleOptions, earlier: Iterable[Packed]) -> Packed:
    """Return the best puzzle of a subject that the pack does not have yet."""
    known = {packed.puzzle.canonical_hash for packed in earlier}
    picture = read_picture(subject.picture, (side, None))
    if picture.shape[1] > side:
        picture = read_picture(subject.picture, (None, side))
    target = picture.grey.size / CELLS_PER_SWEEP
    best, least = None, inf
    for edges, clear in product(Edges, (False, True)):
        prepared = prepare(picture, replace(subject.options, edges=edges))
        for generated in Production(prepared, replace(options, clear=clear)):
            made: tuple[Made, ...] = (generated, *generated.varied)
            for one in made:
                distance = abs(one.difficulty - target) + np.count_nonzero(one.image != prepared.start)
                if distance < least and one.puzzle.canonical_hash not in known:
                    best, least = one.puzzle, distance
    if best is None:
        raise FormatError("no further puzzle comes out of it", file=subject.name)
    puzzle = replace(best, title=Path(subject.name).stem)
    certify(puzzle)
    return Packed(puzzle, *grade(puzzle))
