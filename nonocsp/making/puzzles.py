"""Puzzles from a prepared picture, one after the other, each unlike those before, and as hard as was wished.

The set L of earlier puzzles is what makes them differ: it holds every image that *Generate* has ended with.
*Vary* starts from each, and usually lowers the difficulty (Batenburg et al. 2009, figure 11).

A wish for a difficulty is met by trying: first the generated puzzle, then its variations by depth, then
changes at random among the cheapest, kept as long as the image stays simple and comes no further from the
wish; and so again from another image. A puzzle's difficulty jumps with single cells, so that often succeeds,
but nothing promises it: what came nearest is then handed out and says so.
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
from nonocsp.making.adapt import Trier, trier
from nonocsp.making.colouring import distances
from nonocsp.making.generated import Generated, Varied
from nonocsp.making.generating import Draft, Scene, Weights
from nonocsp.making.picture import Cells
from nonocsp.making.prepared import Prepared
from nonocsp.making.proving import Goal, graded, meets, proved, solved_by_lines, sweeps
from nonocsp.model import UsageError

ATTEMPTS = 4
"""Images that a wish for a difficulty is tried on."""
WISH_DEPTH = 60
"""How many variations of each are looked at for it, at least."""
STEPS = 300
"""Changes at random that are then tried."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be made of a picture.

    Parameters
    ----------
    count
        Puzzles.
    vary
        How many cells *Vary* changes in each, one after the other.
    difficulty
        The lowest and the highest that will do, in sweeps; None if any will.
    goal
        What must solve the puzzles.
    clears
        Whether cells may also lose their colour.
    seed
        Decides between changes of equal value.
    seconds
        For all of it; when they are over, there are fewer puzzles. None is no limit.
    jobs
        Threads; None for one a core.
    """

    count: int = 1
    vary: int = 0
    difficulty: tuple[int, int] | None = None
    goal: Goal = Goal.SIMPLE
    weights: Weights = field(default_factory=Weights)
    clears: bool = False
    seed: int = 0
    seconds: float | None = None
    jobs: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("count", 1), ("vary", 0), ("seed", 0), ("jobs", 1)):
            if (value := getattr(self, name)) is not None and value < least:
                raise UsageError(f"{name} is {least} or more, not {value}")
        if self.seconds is not None and not self.seconds > 0:
            raise UsageError(f"the time is above 0 s, not {self.seconds:g}")
        if self.difficulty and not 1 <= self.difficulty[0] <= self.difficulty[1]:
            lowest, highest = self.difficulty
            raise UsageError(f"{lowest}..{highest} is no range of difficulties; they go from 1 up")

    def miss(self, difficulty: int) -> int:
        """Return how far a difficulty is from the wished ones, 0 if it is one of them."""
        lowest, highest = self.difficulty or (difficulty, difficulty)
        return max(lowest - difficulty, difficulty - highest, 0)


def puzzles(prepared: Prepared, wish: Wish) -> Generator[Generated, None, None]:
    """Yield puzzles of a picture; fewer than wished if the time is over."""
    with trier(len(prepared.palette), wish.jobs, wish.seconds) as working:
        studio = _Studio(prepared, wish, working)
        for number in range(1, wish.count + 1):
            try:
                made = studio.make(number)
            except Interrupted:
                return
            yield made


class Production(Iterator[Generated]):
    """The puzzles of a picture as they are made, and the prepared picture that they come from."""

    def __init__(self, prepared: Prepared, wish: Wish) -> None:
        self.prepared = prepared
        self._puzzles = puzzles(prepared, wish)

    def __next__(self) -> Generated:
        return next(self._puzzles)

    def close(self) -> None:
        """End early, and the threads with it."""
        self._puzzles.close()


@dataclass(frozen=True, eq=False)
class _Found:
    """An image that is a puzzle, its difficulty, and what *Vary* made of the image that it comes from."""

    image: Cells
    difficulty: int
    varied: tuple[Varied, ...]


class _Studio:
    """Makes the puzzles of one picture, and remembers them."""

    def __init__(self, prepared: Prepared, wish: Wish, working: Trier) -> None:
        far = distances(prepared.picture, prepared.palette)
        self._scene = Scene(far, prepared.start, wish.weights, wish.clears)
        self._name = Path(prepared.picture.name).stem or "puzzle"
        self._palette = prepared.palette
        self._wish = wish
        self._trier = working
        self._rng = np.random.default_rng(wish.seed)
        self._earlier: NDArray[np.int64] = np.zeros(far.shape, np.int64)

    def make(self, number: int) -> Generated:
        """Return a puzzle, at best a wished one; raise `Interrupted` if the time is over before any."""
        best = self._found(number)
        with suppress(Interrupted):
            for _ in range(ATTEMPTS - 1):
                if not self._missed(best):
                    break
                best = min(best, self._found(number), key=self._missed)
        puzzle = proved(best.image, self._palette, self._title(number))
        difficulty, class_ = graded(puzzle)
        return Generated(puzzle, difficulty, class_, best.varied, self._wish.miss(difficulty) == 0)

    def _missed(self, found: _Found | Varied) -> int:
        return self._wish.miss(found.difficulty)

    def _found(self, number: int) -> _Found:
        """Generate an image and go on from it until the wish is met or the means are used up."""
        image = self._generated()
        self._earlier += image[..., np.newaxis] == np.arange(len(self._palette))
        first = _Found(image, sweeps(image, self._palette), ())
        varied = tuple(self._varied(first, number))
        reached = [replace(first, image=one.image, difficulty=one.difficulty) for one in varied]
        asked = tuple(one for one in varied if one.depth <= self._wish.vary)
        return self._steered(replace(min([first, *reached], key=self._missed), varied=asked))

    def _generated(self) -> Cells:
        """Return an image that the goal's method solves."""
        draft = self._draft(self._scene.start)
        draft.generate()
        if self._wish.goal is not Goal.SIMPLE:
            with suppress(Interrupted):
                draft.undo(self._meets_goal)
        return draft.image

    def _meets_goal(self, image: Cells) -> bool:
        return meets(image, self._palette, self._wish.goal, self._trier)

    def _varied(self, first: _Found, number: int) -> Iterator[Varied]:
        """Yield the simple ones of the variations: all that are asked for, and more until the wish is met."""
        missed = self._missed(first)
        most = max(self._wish.vary, WISH_DEPTH if missed else 0)
        for depth, image in islice(self._variations(first.image), most):
            if solved := solved_by_lines(image, self._palette, f"{self._title(number)} + {depth}"):
                yield (one := Varied(*solved, depth))
                missed = min(missed, self._missed(one))
            if depth >= self._wish.vary and not missed:
                return

    def _variations(self, image: Cells) -> Iterator[tuple[int, Cells]]:
        with suppress(Interrupted):
            yield from enumerate(self._draft(image).variations(), start=1)

    def _steered(self, found: _Found) -> _Found:
        """Come nearer to the wish by changes at random."""
        if not self._missed(found):
            return found

        def welcome(image: Cells) -> bool:
            return self._wish.miss(sweeps(image, self._palette)) <= self._missed(found)

        with suppress(Interrupted):
            for image in self._draft(found.image).wander(welcome, STEPS):
                found = replace(found, image=image, difficulty=sweeps(image, self._palette))
                if not self._missed(found):
                    break
        return found

    def _draft(self, image: Cells) -> Draft:
        return Draft(image, self._scene, self._earlier, self._trier, self._rng)

    def _title(self, number: int) -> str:
        return f"{self._name} {number}"
