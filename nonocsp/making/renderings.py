"""Make a dozen different puzzles of one picture to choose from.

Looks are tried in a fixed order: colours, what is dark, edges; in the size that suits the picture, then in a
smaller and a larger one. A look that hardly differs from an earlier one, or that leaves the grid almost empty
or almost full, is left out. A picture gets the same renderings on every machine, with any number of threads.
A drawing is taken as it is, with other looks only if it is no puzzle yet.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice, zip_longest
from typing import TypeAlias

import numpy as np

from nonocsp.engine import StopFlag
from nonocsp.grading.levels import Level
from nonocsp.making.cells import Cells
from nonocsp.making.image import Dither, EdgeFilter, Edges, PictureOptions, Prepared, Threshold, prepare
from nonocsp.making.judging import RequiredClass
from nonocsp.making.likeness import likeness, similarity
from nonocsp.making.picture import AnyPicture, Picture, Size, read_picture, readable
from nonocsp.making.puzzles import Generated, Production, PuzzleOptions
from nonocsp.model import FormatError, Palette
from nonocsp.model.oklab import oklab, rgb_of

COUNT = 12
"""Renderings of a picture, at most."""
ALIKE = 0.8
"""Renderings that are more alike count as one."""
_LIBRARIES = ("scipy.ndimage", "scipy.cluster.vq")
"""What measuring needs, and then what preparing does. First imports in several threads at once can fail."""
_SCALES = (1.0, 2 / 3, 4 / 3)
"""Sizes to try, as factors of the size that suits the picture."""
_LATER = 4
"""Looks that come between two sizes of a look."""
_LEAST_FILLED = 0.04
"""The least share of cells that are background, and that are not."""
_HUE, _COLOURFUL = 0.04, 0.02
"""Distance from grey in OKLab, and the share of cells that have it in a picture with colours."""
_IN_COLOURS = tuple(PictureOptions(colours=number) for number in (3, 5))
_IN_BLACK = (
    PictureOptions(threshold=Threshold.OTSU),
    PictureOptions(edges=Edges.ONLY),
    PictureOptions(threshold=Threshold.ADAPTIVE),
    PictureOptions(black=0.35),
    PictureOptions(edges=Edges.ONLY, edge_filter=EdgeFilter.XDOG),
    PictureOptions(edges=Edges.BOTH),
    PictureOptions(black=0.2),
    PictureOptions(edges=Edges.ONLY, edge_filter=EdgeFilter.SOBEL),
    PictureOptions(dither=Dither.DIFFUSION),
    PictureOptions(black=0.5),
    PictureOptions(threshold=Threshold.ADAPTIVE, black=0.2),
)


@dataclass(frozen=True, eq=False)
class Rendering:
    """A puzzle of a picture in one look."""

    look: PictureOptions  # how the picture was prepared
    prepared: Prepared  # the picture in the size of the puzzle, and the image that generating started from
    required: RequiredClass | str | None  # the method that must suffice; None for the usual one
    made: Generated
    likeness: float  # of the puzzle to the picture in the largest size that is tried, from 0 to 1

    @property
    def level(self) -> Level | None:
        """How hard it is for people."""
        return self.made.level

    @property
    def palette(self) -> Palette:
        """The colours of the puzzle."""
        return self.prepared.palette

    @property
    def description(self) -> str:
        """What was done to the picture, in a few words."""
        look = self.look
        if look.colours:
            return f"{len(self.palette) - 1} colour{'s' * (len(self.palette) > 2)}"
        if self.prepared.picture.is_drawing:
            drawn = "as drawn" if look.colours is None else "black and white"
            return "edges" if look.edges == Edges.ONLY else drawn
        if look.dither != Dither.NONE:
            return "dithered"
        share = "" if look.black is None else f"{look.black:.0%}"
        dark = share if look.threshold == Threshold.SHARE else f"{look.threshold} {share}".strip()
        if look.edges == Edges.ONLY:
            return f"edges, {look.edge_filter}"
        return f"dark{' + edges' * (look.edges == Edges.BOTH)}, {dark}"


def renderings(
    image: AnyPicture,
    size: Size | None = None,
    options: PuzzleOptions | None = None,
    *,
    in_colours: bool = True,
) -> Generator[Rendering, None, None]:
    """Yield at most `COUNT` puzzles of a picture in different looks, the same ones for the same arguments.

    Without a size, several that suit the picture are tried. The time of the options is for all puzzles; when
    it is over, there are fewer. `ranked` puts the best first.
    """
    options = options or PuzzleOptions()
    deadline = None if options.time is None else time.perf_counter() + options.time
    pictures = _in_sizes(image, size)
    for library in _LIBRARIES[: 1 if pictures[0].is_drawing else None]:
        import_module(library)
    finest = max(pictures, key=lambda picture: picture.grey.size)
    stops: list[StopFlag] = []
    jobs = options.jobs or os.cpu_count() or 1
    one_each = replace(options, count=1, vary=0, jobs=1)
    pool = ThreadPoolExecutor(jobs)
    looks = _differing(_prepared(_to_try(pictures, options.class_, in_colours=in_colours), pool, 2 * jobs))
    kept: list[Rendering] = []

    def start(look: _Look) -> Future[Rendering | None]:
        stops.append(StopFlag())
        return pool.submit(_render, look, finest, one_each, deadline, stops[-1])

    try:
        waiting = deque(map(start, islice(looks, COUNT)))
        while waiting and len(kept) < COUNT:
            found = waiting.popleft().result()
            if found and not any(_are_twins(found, other) for other in kept):
                kept.append(found)
                yield found
                if found.prepared.picture.is_drawing and not found.made.changes:
                    return
            else:
                waiting.extend(map(start, islice(looks, 1)))
    finally:
        for stop in stops:
            stop.set()
        pool.shutdown(cancel_futures=True)


def ranked(found: Iterable[Rendering]) -> list[Rendering]:
    """Return the renderings that look most like the picture first, and of equal ones the easier first."""
    levels = [*Level, None]

    def rank(one: Rendering) -> tuple[float, int, int]:
        return -round(one.likeness, 2), levels.index(one.level), one.made.difficulty

    return sorted(found, key=rank)


_Trial: TypeAlias = "tuple[Picture, PictureOptions, RequiredClass | str | None]"
"""A picture, a look to prepare it in, and the class of its puzzle."""


@dataclass(frozen=True, eq=False)
class _Look:
    """A prepared picture to make a puzzle of."""

    options: PictureOptions
    prepared: Prepared
    required: RequiredClass | str | None


def _render(
    look: _Look, finest: Picture, options: PuzzleOptions, deadline: float | None, stop: StopFlag
) -> Rendering | None:
    """Make the puzzle of a look; None if the time is over before."""
    left = None if deadline is None else deadline - time.perf_counter()
    if left is not None and left <= 0:
        return None
    production = Production(look.prepared, replace(options, class_=look.required, time=left), stop)
    made = next(production, None)
    production.close()
    if made is None:
        return None
    like = likeness(_enlarged(made.image, finest.shape), finest, look.prepared.palette)
    return Rendering(look.options, look.prepared, look.required, made, like)


def _to_try(
    pictures: Sequence[Picture], class_: RequiredClass | str | None, *, in_colours: bool
) -> Iterator[_Trial]:
    """Yield the looks to try in each size, and the class of their puzzles, the most useful first."""
    first = pictures[0]
    if first.is_drawing:
        yield first, PictureOptions(), class_
        if class_ is None:
            yield first, PictureOptions(), RequiredClass.SIMPLE
        for look in (PictureOptions(colours=0), PictureOptions(edges=Edges.ONLY)):
            yield first, look, class_
        return
    colours = _IN_COLOURS if in_colours and _is_colourful(first) else ()
    if not colours:
        prepare(first, _IN_BLACK[0])  # refuses a picture of one shade, which has neither edges nor areas
    looks = [look for pair in zip_longest(colours, _IN_BLACK) for look in pair if look]
    order = [(i + _LATER * s, s, i) for s in range(len(pictures)) for i in range(len(looks))]
    for _, s, i in sorted(order):
        yield pictures[s], looks[i], class_


def _prepared(
    trials: Iterator[_Trial], pool: ThreadPoolExecutor, ahead: int
) -> Iterator[_Look | FormatError]:
    """Yield the prepared pictures of looks, or why there is none; the next ones are prepared meanwhile."""

    def attempt(trial: _Trial) -> _Look | FormatError:
        picture, look, required = trial
        try:
            return _Look(look, prepare(picture, look), required)
        except FormatError as error:
            return error

    waiting = deque(pool.submit(attempt, trial) for trial in islice(trials, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(pool.submit(attempt, trial) for trial in islice(trials, 1))


def _differing(looks: Iterable[_Look | FormatError]) -> Iterator[_Look]:
    """Yield the looks that show something and differ from those before them; of a drawing, all."""
    seen: list[_Look] = []
    left_out: _Look | None = None
    refused: FormatError | None = None
    for one in looks:
        if isinstance(one, FormatError):
            refused = refused or one
            continue
        is_drawing = one.prepared.picture.is_drawing
        if is_drawing or (_shows_something(one) and not any(_are_alike(one, other) for other in seen)):
            seen.append(one)
            yield one
        left_out = left_out or one
    if not seen and left_out:
        yield left_out
    elif not seen and refused:
        raise refused


def _in_sizes(image: AnyPicture, size: Size | None) -> list[Picture]:
    """Return the picture in the sizes to try, the one that suits it first."""
    if isinstance(image, Picture):
        return [read_picture(image, size)]
    with readable(image) as (opened, name):
        first = read_picture(opened, size)
        rows, columns = first.shape
        scales = _SCALES[:1] if size or first.is_drawing else _SCALES
        sizes = [(round(rows * scale), round(columns * scale)) for scale in scales]
        return [replace(read_picture(opened, size), name=name) for size in sizes]


def _is_colourful(picture: Picture) -> bool:
    hues = np.abs(oklab(picture.colours)[..., 1:]).max(axis=2)
    return bool((hues > _HUE).mean() > _COLOURFUL)


def _shows_something(look: _Look) -> bool:
    filled = float((look.prepared.start > 0).mean())
    return _LEAST_FILLED <= filled <= 1 - _LEAST_FILLED


def _are_twins(one: Rendering, other: Rendering) -> bool:
    """Return whether there is nothing to choose between two renderings."""
    if one.prepared.picture.is_drawing:
        return one.palette == other.palette and bool((one.made.image == other.made.image).all())
    return resemblance((one.made.image, one.palette), (other.made.image, other.palette)) > ALIKE


def _are_alike(one: _Look, other: _Look) -> bool:
    first, second = ((look.prepared.start, look.prepared.palette) for look in (one, other))
    return resemblance(first, second) > ALIKE


def resemblance(one: tuple[Cells, Palette], other: tuple[Cells, Palette]) -> float:
    """Return how much two images look alike, from 0 to 1, also if their sizes and colours differ."""
    (first, its_palette), (second, other_palette) = one, other
    rows, columns = np.maximum(first.shape, second.shape).tolist()
    its_colours, other_colours = oklab(rgb_of(its_palette)), oklab(rgb_of(other_palette))
    return similarity(
        its_colours[_enlarged(first, (rows, columns))], other_colours[_enlarged(second, (rows, columns))]
    )


def _enlarged(image: Cells, shape: tuple[int, int]) -> Cells:
    """Return an image with more cells, each that of the place."""
    rows, columns = (np.arange(n) * own // n for n, own in zip(shape, image.shape, strict=True))
    enlarged: Cells = image[np.ix_(rows, columns)]
    return enlarged
