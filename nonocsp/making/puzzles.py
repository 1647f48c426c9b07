"""Make puzzles of a prepared picture, each different from those before and close to a target difficulty.

Puzzles differ because the cost of a change counts the earlier images with that colour in the cell (the set L
of Batenburg et al. 2009). *Vary* starts from each image and usually makes it easier (figure 11).

The search for a target difficulty tries the generated puzzle, then its variations by depth, then cheap
changes at random, which it keeps if the image stays simple and no further from the target. If none of these
meets the target, the search starts again with another image. A single cell can change the difficulty much, so
the search often succeeds, but not always. Where it fails, it returns the closest puzzle, marked.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import Interrupted
from nonocsp.making.adapt import ChangeEvaluator, change_evaluator
from nonocsp.making.changes import CellChange, differences
from nonocsp.making.colours import distances
from nonocsp.making.generate import Draft, Scene, Weights, generate, undo_changes
from nonocsp.making.init import Prepared, choose
from nonocsp.making.picture import Cells
from nonocsp.making.prove import RequiredClass, grade, meets, prove, solve_by_lines, sweeps
from nonocsp.making.vary import vary, wander
from nonocsp.model import Puzzle, UsageError

ATTEMPTS = 4
"""Images to try for a target difficulty."""
TARGET_DEPTH = 60
"""Variations of each image to try for a target difficulty, at least."""
STEPS = 300
"""Changes at random to try after the variations."""


@dataclass(frozen=True, slots=True)
class PuzzleOptions:
    """Which puzzles to make of a picture.

    Parameters
    ----------
    count
        Number of puzzles.
    vary
        Number of cells that *Vary* changes in each, one after the other.
    difficulty
        Target: lowest and highest difficulty in sweeps; None for any.
    class_
        Method that must suffice, a member or its value: ``"simple"``; None for any method if the picture is a
        drawing, and line solving if not.
    max_changes
        The most cells in which a puzzle may differ from the prepared picture; None for any number.
    weights
        The weights of what counts when a cell is changed.
    clear
        Whether cells may also lose their colour.
    seed
        Decides between changes of equal value.
    time
        Seconds for all puzzles together; when they are over, there are fewer. None for no limit.
    jobs
        Threads; None for one a core.

    Raises
    ------
    UsageError
        For an unknown class, or a number out of its range.
    """

    count: int = 1
    vary: int = 0
    difficulty: tuple[int, int] | None = None
    class_: RequiredClass | str | None = None
    max_changes: int | None = None
    weights: Weights = field(default_factory=Weights)
    clear: bool = False
    seed: int = 0
    time: float | None = None
    jobs: int | None = None

    def __post_init__(self) -> None:
        if self.class_ is not None:
            object.__setattr__(self, "class_", choose(RequiredClass, self.class_, "class"))
        for name, least in (("count", 1), ("vary", 0), ("max_changes", 0), ("seed", 0), ("jobs", 1)):
            if (value := getattr(self, name)) is not None and value < least:
                raise UsageError(f"{name} is {least} or more, not {value}")
        if self.time is not None and not self.time > 0:
            raise UsageError(f"the time is above 0 s, not {self.time:g}")
        if self.difficulty and not 1 <= self.difficulty[0] <= self.difficulty[1]:
            lowest, highest = self.difficulty
            raise UsageError(
                f"{lowest}..{highest} is not a range of difficulties; expected A..B with 1 <= A <= B"
            )

    def missed_by(self, difficulty: int) -> int:
        """Return how far a difficulty is from the target, 0 if it is in it."""
        lowest, highest = self.difficulty or (difficulty, difficulty)
        return max(lowest - difficulty, difficulty - highest, 0)


@dataclass(frozen=True, slots=True)
class Varied:
    """A simple puzzle that *Vary* made of another one.

    Parameters
    ----------
    puzzle
        With its only solution as its goal.
    difficulty
        Sweeps.
    depth
        Number of cells changed.
    """

    puzzle: Puzzle
    difficulty: int
    depth: int

    @property
    def image(self) -> Cells:
        """The solution, shape (rows, columns)."""
        return _goal(self.puzzle)


@dataclass(frozen=True, slots=True)
class Generated:
    """A puzzle made from a picture.

    Parameters
    ----------
    puzzle
        With its only solution as its goal.
    difficulty
        Sweeps; if the puzzle is not simple, sweeps until line solving gets stuck.
    class_
        The weakest method that solves it, as the meter says: ``"simple"``, ``"fp1"``.
    varied
        Its simple variations, by depth.
    is_wanted
        Whether the difficulty is within the target, and the number of changes within its limit.
    changes
        Every cell in which the puzzle differs from the prepared picture, from top to bottom.
    """

    puzzle: Puzzle
    difficulty: int
    class_: str
    varied: tuple[Varied, ...] = ()
    is_wanted: bool = True
    changes: tuple[CellChange, ...] = ()

    @property
    def is_simple(self) -> bool:
        """Whether line solving suffices."""
        return self.class_ in ("trivial", "simple")

    @property
    def image(self) -> Cells:
        """The solution, shape (rows, columns)."""
        return _goal(self.puzzle)


def _goal(puzzle: Puzzle) -> Cells:
    assert puzzle.goal is not None
    return puzzle.goal.cells


class Production(Iterator[Generated]):
    """An iterator that makes the puzzles of a picture when they are asked for.

    It ends early when the time is over.

    Parameters
    ----------
    prepared
        The picture; also an attribute.
    options
        Which puzzles to make.
    """

    def __init__(self, prepared: Prepared, options: PuzzleOptions = PuzzleOptions()) -> None:
        self.prepared = prepared
        self._puzzles = _puzzles(prepared, options)

    def __next__(self) -> Generated:
        return next(self._puzzles)

    def close(self) -> None:
        """End the iterator and its threads."""
        self._puzzles.close()


def _puzzles(prepared: Prepared, options: PuzzleOptions) -> Generator[Generated, None, None]:
    with (
        change_evaluator(len(prepared.palette), options.jobs, options.time) as evaluator,
        suppress(Interrupted),
    ):
        maker = _PuzzleMaker(prepared, options, evaluator)
        for number in range(1, options.count + 1):
            yield maker.make(number)


@dataclass(frozen=True, eq=False)
class _Found:
    """An image that is a puzzle, its difficulty, and the variations of the image that it comes from."""

    image: Cells
    difficulty: int
    varied: tuple[Varied, ...]


class _PuzzleMaker:
    """Makes the puzzles of one picture, and counts which cells they have filled."""

    def __init__(self, prepared: Prepared, options: PuzzleOptions, evaluator: ChangeEvaluator) -> None:
        far = distances(prepared.picture, prepared.palette)
        self._scene = Scene(far, prepared.start, options.weights, options.clear)
        default = RequiredClass.UNIQUE if prepared.picture.is_drawing else RequiredClass.SIMPLE
        self._required = options.class_ or default
        self._name = Path(prepared.picture.name).stem or "puzzle"
        self._palette = prepared.palette
        self._options = options
        self._evaluator = evaluator
        self._rng = np.random.default_rng(options.seed)
        self._earlier: NDArray[np.int64] = np.zeros(far.shape, np.int64)

    def make(self, number: int) -> Generated:
        """Return the next puzzle, the closest to the target; raise `Interrupted` if the time is over."""
        title = f"{self._name} {number}"
        best = self._find(title)
        with suppress(Interrupted):
            for _ in range(ATTEMPTS - 1):
                if not self._missed(best):
                    break
                best = min(best, self._find(title), key=self._missed)
        puzzle = prove(best.image, self._palette, title)
        difficulty, class_ = grade(puzzle)
        changes = differences(self._scene.start, best.image)
        most = self._options.max_changes
        is_wanted = not self._options.missed_by(difficulty) and (most is None or len(changes) <= most)
        return Generated(puzzle, difficulty, class_, best.varied, is_wanted, changes)

    def _missed(self, found: _Found | Varied) -> int:
        return self._options.missed_by(found.difficulty)

    def _find(self, title: str) -> _Found:
        """Generate an image, and change it until the target is met or all steps have been tried."""
        draft = self._draft(self._scene.start)
        required = self._required
        is_fine = meets(draft.image, self._palette, required, self._evaluator)
        image = draft.image if is_fine else generate(draft)
        if not is_fine and required != RequiredClass.SIMPLE:
            with suppress(Interrupted):
                undo_changes(draft, lambda image: meets(image, self._palette, required, self._evaluator))
            image = draft.image
        self._earlier += image[..., np.newaxis] == np.arange(len(self._palette))
        first = _Found(image, sweeps(image, self._palette), ())
        varied = tuple(self._vary(first, title))
        candidates = [first, *(replace(first, image=one.image, difficulty=one.difficulty) for one in varied)]
        asked = tuple(one for one in varied if one.depth <= self._options.vary)
        return self._steer(replace(min(candidates, key=self._missed), varied=asked))

    def _vary(self, first: _Found, title: str) -> Iterator[Varied]:
        """Yield the simple variations: as many as asked for, and more until the target is met."""
        missed = self._missed(first)
        most = max(self._options.vary, TARGET_DEPTH if missed else 0)
        with suppress(Interrupted):
            for depth, image in enumerate(islice(vary(self._draft(first.image)), most), start=1):
                if solved := solve_by_lines(image, self._palette, f"{title} + {depth}"):
                    yield (one := Varied(*solved, depth))
                    missed = min(missed, self._missed(one))
                if depth >= self._options.vary and not missed:
                    return

    def _steer(self, found: _Found) -> _Found:
        """Move closer to the target by changes at random."""
        if not self._missed(found):
            return found

        def is_no_further(image: Cells) -> bool:
            return self._options.missed_by(sweeps(image, self._palette)) <= self._missed(found)

        with suppress(Interrupted):
            for image in wander(self._draft(found.image), is_no_further, STEPS):
                found = replace(found, image=image, difficulty=sweeps(image, self._palette))
                if not self._missed(found):
                    break
        return found

    def _draft(self, image: Cells) -> Draft:
        return Draft(image, self._scene, self._earlier, self._evaluator, self._rng)
