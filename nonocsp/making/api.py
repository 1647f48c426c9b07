"""The one-call Python interface to puzzles from pictures."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from nonocsp.making.colouring import parse_palette
from nonocsp.making.generating import Weights
from nonocsp.making.preparing import Edges, Preparation, Threshold, prepare
from nonocsp.making.proving import Goal
from nonocsp.making.puzzles import Production, Wish
from nonocsp.making.reading import AnyPicture, Size, read_picture
from nonocsp.model import Palette, unknown

Choice = TypeVar("Choice", bound=StrEnum)


def generate(
    image: AnyPicture,
    *,
    size: Size | None = None,
    count: int = 1,
    vary: int = 0,
    difficulty: tuple[int, int] | None = None,
    class_: Goal | str = Goal.SIMPLE,
    threshold: Threshold | str = Threshold.SHARE,
    black: float = 0.35,
    edges: Edges | str = Edges.NONE,
    colours: int = 0,
    palette: Palette | Sequence[str] | None = None,
    clear: bool = False,
    alpha: float = 8.0,
    beta: float = 1.0,
    gamma: float = 8.0,
    seed: int = 0,
    time: float | None = None,
    jobs: int | None = None,
) -> Production:
    """Make puzzles from a picture, each with exactly one solution (Batenburg et al. 2009, section 5).

    The picture is read and prepared at once, so that its errors come from this call; the puzzles are made as
    they are asked for.

    Parameters
    ----------
    image
        A file, ``"-"`` for standard input, a pillow image, an array of pixels or a `Picture`.
    size
        (rows, columns), one of which may be None; by default it suits the picture.
    count
        Puzzles, each unlike those before.
    vary
        How many cells to change further in each, one after the other, which usually makes it easier.
    difficulty
        Lowest and highest number of sweeps that will do. What comes nearest is handed out if none does.
    class_
        What must solve the puzzles: ``"simple"``, line solving; ``"fp1"``, fully probing; ``"unique"``,
        anything that proves the solution to be the only one.
    threshold
        What is black: ``"share"``, ``"otsu"`` or ``"adaptive"``.
    black
        The share of black before anything is changed, above 0 and below 1; not for ``"otsu"``.
    edges
        What is kept of the dark areas: ``"none"`` for all, ``"only"`` their edges, ``"both"`` those and the
        darker half.
    colours
        How many colours beside the background to find in the picture; 0 for black on white.
    palette
        Colours to bring the picture to instead, the background first: ``["white", "#d7191c", "black"]``.
    clear
        Whether cells may also lose their colour, so that puzzles do not drift dark.
    alpha, beta, gamma
        What counts when a cell is chosen: open cells, resemblance, unlikeness to earlier puzzles.
    seed
        Decides between changes of equal value.
    time
        Seconds for everything; when they are over, there are fewer puzzles.
    jobs
        Threads; by default one a core.

    Returns
    -------
    Production
        An iterator over the puzzles; its `prepared` is the picture and what was made of it on the way.

    Raises
    ------
    UsageError
        If there is no such file, or for a parameter that is out of its range.
    FormatError
        If the file is no whole picture, has too many pixels, or shows nothing.
    """
    chosen = palette if isinstance(palette, Palette) or palette is None else parse_palette(palette)
    preparation = Preparation(choice(Threshold, threshold), black, choice(Edges, edges), colours, chosen)
    weights, goal = Weights(alpha, beta, gamma), choice(Goal, class_)
    wish = Wish(count, vary, difficulty, goal, weights, clear, seed, time, jobs)
    return Production(prepare(read_picture(image, size), preparation), wish)


def choice(kind: type[Choice], value: str) -> Choice:
    """Return a member of an enumeration by its value; UsageError that lists them otherwise."""
    if value not in list(kind):
        what = {"Goal": "class"}.get(kind.__name__, kind.__name__.lower())
        raise unknown(what, value, kind)
    return kind(value)
