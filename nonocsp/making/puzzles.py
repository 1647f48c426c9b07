"""Make puzzles of a prepared picture, each different from those before and close to a target difficulty.

A picture that is a puzzle already is the first puzzle. Otherwise *Generate* changes cells until the wanted
method solves it, and `prune` undoes what is not needed. Each further puzzle differs from all before in
`apart` cells. *Vary* starts from each image and usually makes it easier (Batenburg et al. 2009, figure 11).

The search for a target difficulty tries the generated puzzle, then its variations by depth, then cheap
changes at random, then another image. It often succeeds, but not always: a single cell can change the
difficulty much. Where it fails, it returns the closest puzzle, marked.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np

from nonocsp.engine import Interrupted, StopFlag
from nonocsp.grading.levels import Level, effort
from nonocsp.making.cells import Cells, Mask
from nonocsp.making.draft import LOSS, Counts, Draft, Scene, Weights, depart, generate, prune, vary, wander
from nonocsp.making.image import Prepared, choose
from nonocsp.making.judging import ImageJudge, RequiredClass, grade, prove, puzzle_of, swept
from nonocsp.making.likeness import CellChange, differences, likeness
from nonocsp.model import Puzzle, UsageError

ATTEMPTS, LEVEL_ATTEMPTS = 4, 2
"""Images to try for a target difficulty in sweeps, and for a level, which takes longer."""
TARGET_DEPTH = 60
"""Variations of each image to try for a target difficulty, at least."""
STEPS = 300
"""Changes at random to try after the variations."""
SHARE_APART = 100
"""Puzzles differ in one cell of this many, at least in one."""
HASTE = 6
"""Where changes are pruned, images are also generated with alpha this much higher: it needs fewer changes."""
VISIBLE = 32.0
"""Weight of how visible a change is, where changes are pruned: a speck costs as much as 8 open cells."""
_LEAST = {"count": 1, "vary": 0, "max_changes": 0, "apart": 1, "seed": 0, "jobs": 1}


@dataclass(frozen=True, slots=True)
class PuzzleOptions:
    """Which puzzles to make of a picture, as parameters of `nonocsp.generate`; UsageError if out of range."""

    count: int = 1
    vary: int = 0
    difficulty: tuple[int, int] | Level | str | None = None
    class_: RequiredClass | str | None = None
    max_changes: int | None = None
    apart: int | None = None
    weights: Weights = field(default_factory=Weights)
    clear: bool = True
    prune: bool = True
    seed: int = 0
    time: float | None = None
    jobs: int | None = None

    def __post_init__(self) -> None:
        if self.class_ is not None:
            object.__setattr__(self, "class_", choose(RequiredClass, self.class_, "class"))
        for name, least in _LEAST.items():
            if (value := getattr(self, name)) is not None and value < least:
                raise UsageError(f"{name} is {least} or more, not {value}")
        if self.time is not None and not self.time > 0:
            raise UsageError(f"the time is above 0 s, not {self.time:g}")
        if isinstance(self.difficulty, str):
            object.__setattr__(self, "difficulty", choose(Level, self.difficulty, "difficulty"))
        elif self.difficulty and not 1 <= self.difficulty[0] <= self.difficulty[1]:
            lowest, highest = self.difficulty
            raise UsageError(
                f"{lowest}..{highest} is not a range of difficulties; expected A..B with 1 <= A <= B"
            )

    def missed_by(self, made: Made) -> int:
        """Return how far a puzzle is from the target, in sweeps or levels; 0 if it meets it."""
        if self.difficulty is None:
            return 0
        if isinstance(self.difficulty, str):
            levels = [*Level]
            level = level_of(made.puzzle)
            return abs(levels.index(level) - levels.index(Level(self.difficulty))) if level else len(levels)
        lowest, highest = self.difficulty
        return max(lowest - made.difficulty, made.difficulty - highest, 0)


@lru_cache(maxsize=1024)
def level_of(puzzle: Puzzle) -> Level | None:
    """Return the level of a puzzle that has one solution."""
    return effort(puzzle, is_unique=True, with_steps=False).level


@dataclass(frozen=True, slots=True)
class Made:
    """A puzzle with its only solution as its goal, and its sweeps until line solving ends."""

    puzzle: Puzzle
    difficulty: int

    @property
    def image(self) -> Cells:
        """The solution, shape (rows, columns)."""
        assert self.puzzle.goal is not None
        return self.puzzle.goal.cells

    @property
    def level(self) -> Level | None:
        """How hard it is for people."""
        return level_of(self.puzzle)


@dataclass(frozen=True, slots=True)
class Varied(Made):
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

    depth: int


@dataclass(frozen=True, slots=True)
class Generated(Made):
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
    likeness
        Structural similarity to the prepared picture, 1 if nothing was changed.
    """

    class_: str
    varied: tuple[Varied, ...] = ()
    is_wanted: bool = True
    changes: tuple[CellChange, ...] = ()
    likeness: float = 1.0

    @property
    def is_simple(self) -> bool:
        """Whether line solving suffices."""
        return self.class_ in ("trivial", "simple")


@dataclass(frozen=True, slots=True)
class _Candidate(Made):
    """A candidate, and the variations of the image that it comes from."""

    varied: tuple[Varied, ...] = ()


class Production(Iterator[Generated]):
    """An iterator that makes puzzles when asked, until the time is over or another thread sets `stop`."""

    def __init__(
        self, prepared: Prepared, options: PuzzleOptions = PuzzleOptions(), stop: StopFlag | None = None
    ) -> None:
        self.prepared = prepared
        self.shortage = ""
        """Why there are fewer puzzles than asked for; empty if there are not, or if the time was over."""
        self._puzzles = self._make(options, stop)

    def __next__(self) -> Generated:
        return next(self._puzzles)

    def close(self) -> None:
        """End the iterator."""
        self._puzzles.close()

    def _make(self, options: PuzzleOptions, stop: StopFlag | None) -> Generator[Generated, None, None]:
        judge = ImageJudge(self.prepared.palette, options.jobs, options.time, stop)
        with suppress(Interrupted):
            maker = _PuzzleMaker(self.prepared, options, judge)
            for number in range(1, options.count + 1):
                if (made := maker.make(number)) is None:
                    self.shortage = maker.shortage(number - 1)
                    return
                yield made


class _PuzzleMaker:
    """Makes the puzzles of one picture, and remembers which it has made."""

    def __init__(self, prepared: Prepared, options: PuzzleOptions, judge: ImageJudge) -> None:
        is_drawing = prepared.picture.is_drawing
        self._scene = Scene(
            prepared.far,
            prepared.start,
            options.weights,
            options.clear,
            # What was drawn may as well go as come; outlines of photos would dissolve.
            loss=0.0 if is_drawing and options.prune else LOSS,
            visible=VISIBLE if options.prune else 0.0,
        )
        self._beyond_lines = options.difficulty in (Level.HARD, Level.EXPERT)
        any_method = self._beyond_lines or (is_drawing and options.difficulty is None)
        default = RequiredClass.UNIQUE if any_method else RequiredClass.SIMPLE
        self._required = RequiredClass(options.class_ or default)
        self._apart = options.apart or max(1, prepared.start.size // SHARE_APART)
        self._name = Path(prepared.picture.name).stem or "puzzle"
        self._palette = prepared.palette
        self._options = options
        self._judge = judge
        self._rng = np.random.default_rng(options.seed)
        self._earlier: Counts = np.zeros(prepared.far.shape, np.int64)
        self._before: list[tuple[Cells, int]] = []
        """Images so far, and in how many cells others must differ from them."""
        self._hashes: set[str] = set()

    def make(self, number: int) -> Generated | None:
        """Return the next puzzle, the closest to what is wanted; only the first may have too many changes."""
        title = f"{self._name} {number}"
        best = self._find(title)
        with suppress(Interrupted):
            for _ in range((LEVEL_ATTEMPTS if isinstance(self._options.difficulty, str) else ATTEMPTS) - 1):
                if best is None or not any(self._missed(best)):
                    break
                if (found := self._find(title)) is None:
                    break
                best = min(best, found, key=self._missed)
        if best is None or (self._hashes and self._too_many(best.image)):
            return None
        puzzle = prove(best.image, self._palette, title)
        self._before += [(best.image, self._apart), *((one.image, 1) for one in best.varied)]
        self._hashes |= {puzzle.canonical_hash, *(one.puzzle.canonical_hash for one in best.varied)}
        difficulty, class_ = grade(puzzle)
        changes = differences(self._scene.start, best.image)
        alike = likeness(best.image, self._scene.start, self._palette) if changes else 1.0
        made = Generated(puzzle, difficulty, class_, best.varied, True, changes, alike)
        missed = self._options.missed_by(made) or self._too_many(best.image)
        return replace(made, is_wanted=not missed)

    def shortage(self, made: int) -> str:
        """Return why there are no more puzzles than `made`."""
        many = "1 puzzle" if made == 1 else f"{made} puzzles"
        cells = "1 cell" if self._apart == 1 else f"{self._apart} cells"
        most = self._options.max_changes
        within = "" if most is None else f" with at most {most} changed cells each"
        return f"only {many} found that differ in {cells} or more{within}"

    def _too_many(self, image: Cells) -> int:
        """Return by how many cells an image changes too many."""
        most = self._options.max_changes
        return 0 if most is None else max(0, self._changed(image) - most)

    def _missed(self, found: _Candidate) -> tuple[int, int]:
        """Return by how much an image misses the most changes, and the target difficulty."""
        return self._too_many(found.image), self._options.missed_by(found)

    def _is_new(self, image: Cells) -> bool:
        """Return whether an image differs enough from all images so far, and its clues from all puzzles."""
        if any(np.count_nonzero(image != one) < least for one, least in self._before):
            return False
        return not self._hashes or puzzle_of(image, self._palette).canonical_hash not in self._hashes

    def _gaps(self, image: Cells) -> Mask:
        return self._judge.gaps(image, self._required)

    def _find(self, title: str) -> _Candidate | None:
        """Generate a new image, and change it until the target is met or all steps have been tried."""
        found = self._generated(self._scene)
        if self._options.prune and found is not None and self._changed(found):
            alpha = HASTE * self._options.weights.alpha
            hasty = replace(self._scene, weights=replace(self._options.weights, alpha=alpha))
            images = [image for image in (found, self._generated(hasty)) if image is not None]
            found = min(images, key=self._changed)
        if found is None:
            return None
        image = found
        self._earlier += image[..., np.newaxis] == np.arange(len(self._palette))
        first = self._candidate(image)
        varied = tuple(self._vary(first, title))
        candidates = [first, *(_Candidate(one.puzzle, one.difficulty) for one in varied)]
        asked = tuple(one for one in varied if one.depth <= self._options.vary)
        best = min((one for one in candidates if self._is_new(one.image)), key=self._missed)
        best = self._steer(replace(best, varied=asked))
        if best.puzzle is not first.puzzle and not self._options.missed_by(best):
            image = self._pruned(best.image, self._meets_target)
            best = replace(self._candidate(image), varied=asked)
        self._before += [(first.image, 1), (best.image, 1)]
        return best

    def _generated(self, scene: Scene) -> Cells | None:
        """Return a new image that the wanted method solves, with few changes; None if none is found."""
        draft = Draft(scene.start, scene, self._earlier, self._judge, self._rng)
        needs_lines = self._required is RequiredClass.SIMPLE
        while not self._is_new(image := generate(draft, None if needs_lines else self._gaps)):
            if not depart(draft, self._before) or draft.image is image:
                return None
        return self._pruned(image)

    def _changed(self, image: Cells) -> int:
        return int(np.count_nonzero(image != self._scene.start))

    def _pruned(self, image: Cells, accept: Callable[[Cells], bool] | None = None) -> Cells:
        """Return an image with only those changes that are needed to be a new, accepted puzzle."""

        def will_do(image: Cells) -> bool:
            return self._is_new(image) and (accept is None or accept(image)) and not self._gaps(image).any()

        draft = self._draft(image)
        if self._options.prune:
            with suppress(Interrupted):
                prune(draft, self._gaps, will_do)
        return draft.image

    def _meets_target(self, image: Cells) -> bool:
        return not self._options.missed_by(self._candidate(image))

    def _vary(self, first: _Candidate, title: str) -> Iterator[Varied]:
        """Yield the simple variations: as many as asked for, and more until the target is met."""
        missed = self._options.missed_by(first)
        # Variations are simple, which hard puzzles seldom are.
        most = max(self._options.vary, TARGET_DEPTH if missed and not self._beyond_lines else 0)
        with suppress(Interrupted):
            adding = replace(self._scene, clears=False)  # as in figure 9
            for depth, image in enumerate(islice(vary(self._draft(first.image, adding)), most), start=1):
                puzzle, sweeps, is_simple = swept(image, self._palette, f"{title} + {depth}")
                if is_simple and puzzle.canonical_hash not in self._hashes:
                    yield (one := Varied(puzzle, sweeps, depth))
                    missed = min(missed, self._options.missed_by(one))
                if depth >= self._options.vary and not missed:
                    return

    def _steer(self, found: _Candidate) -> _Candidate:
        """Move closer to the target by changes at random; towards a level only by those that come closer."""
        missed = self._options.missed_by(found)
        if not missed:
            return found
        needs_lines = self._required is RequiredClass.SIMPLE
        gain = isinstance(self._options.difficulty, str)

        def is_no_further(image: Cells) -> bool:
            is_puzzle = self._is_new(image) and (needs_lines or not self._gaps(image).any())
            return is_puzzle and self._options.missed_by(self._candidate(image)) <= missed - gain

        with suppress(Interrupted):
            for image in wander(self._draft(found.image), is_no_further, STEPS, needs_lines=needs_lines):
                found = replace(self._candidate(image), varied=found.varied)
                missed = self._options.missed_by(found)
                if not missed:
                    break
        return found

    def _candidate(self, image: Cells) -> _Candidate:
        puzzle, sweeps, _ = swept(image, self._palette)
        return _Candidate(puzzle, sweeps)

    def _draft(self, image: Cells, scene: Scene | None = None) -> Draft:
        return Draft(image, scene or self._scene, self._earlier, self._judge, self._rng)
