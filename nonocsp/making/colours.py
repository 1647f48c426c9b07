"""Choose the colours of a puzzle from a picture, and measure how far the picture's pixels are from them.

The distance between a pixel and a colour is that of OKLab, scaled so that black and white are 255 apart. In
black and white it is the difference of the grey values, as in the cost of Batenburg et al. (2009). A cell is
as far from a colour as its pixels are on average, those that stand out counting more (`cells.py`).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from nonocsp.formats.palettes import Sketch, complete
from nonocsp.making.cells import Cells, Fine, Values, nearest, shaded_distance
from nonocsp.making.picture import BLANK, Picture, Rgb
from nonocsp.model import BLACK_AND_WHITE, MAX_COLOURS, FormatError, Palette, UsageError
from nonocsp.model.oklab import Lab, oklab, rgb_of

_GROUPS = 32
"""Groups of colours, at least, before merging."""
_SAMPLE = 10_000
"""Pixels whose colours are grouped."""
_ALIKE = 0.045
"""Colours that are nearer than this look like one colour in other light."""


def parse_palette(colours: Sequence[str]) -> Palette:
    """Return the palette of colours such as ``"#d7191c"`` or ``"red"``, the background first."""
    from PIL.ImageColor import getrgb

    if not 2 <= len(colours) <= MAX_COLOURS + 1:
        message = f"a palette is a background and 1 to {MAX_COLOURS} colours"
        raise UsageError(f"{message}, such as white,black,red; not {len(colours)} colours in all")
    rgbs = []
    for colour in colours:
        try:
            rgbs.append(getrgb(colour.strip())[:3])
        except ValueError:
            raise UsageError(f"unknown colour {colour!r}; write #rrggbb or a name such as red") from None
    if len(set(rgbs)) < len(rgbs):
        raise UsageError(f"the palette {','.join(colours)} has a colour twice")
    return _palette(rgbs)


def find_palette(picture: Picture, colours: int) -> Palette:
    """Return colours that stand for those of a picture."""
    if not 1 <= colours <= MAX_COLOURS:
        raise UsageError(f"a puzzle has 1 to {MAX_COLOURS} foreground colours, not {colours}")
    fine = _fine(picture)
    counts = np.bincount(fine.numbers.ravel(), minlength=len(fine.colours))
    groups = _groups(oklab(fine.colours), counts, colours + 1)
    found = [_typical(fine.colours[group], counts[group]) for group in groups]
    if len(set(found)) < 2:
        raise FormatError("the picture has one colour only", file=picture.name, expected="several")
    chosen = np.empty(len(counts), np.intp)
    for number, group in enumerate(groups):
        chosen[group] = number
    rim = [fine.numbers[0], fine.numbers[-1], fine.numbers[1:-1, 0], fine.numbers[1:-1, -1]]
    ground = np.concatenate(rim) if fine.clear is None else fine.numbers[fine.clear]
    background = found[np.bincount(chosen[ground]).argmax()]
    return _from_the_darkest(background, found)


def _groups(lab: Lab, counts: NDArray[np.int64], most: int) -> list[NDArray[np.intp]]:
    """Part colours into at most so many groups: k-means++ into many, then the cheapest merges.

    A merge costs what Ward's method says (1963), but the size of a group is the root of its number of pixels:
    what is small but different, such as eyes, keeps its colour, and what is large gets no second shade. Then
    groups that look alike are merged. At least two are left, and few colours stay as they are.
    """
    if len(lab) <= most:
        return list(np.arange(len(lab))[:, np.newaxis])
    own = np.arange(len(lab))
    if len(lab) > (first := max(_GROUPS, 2 * most)):
        own = nearest(lab, _centres(lab, counts, first)).astype(np.intp)
    groups = [np.flatnonzero(own == number) for number in np.unique(own)]
    sizes = np.array([counts[group].sum() for group in groups], float)
    means = np.array([np.average(lab[group], axis=0, weights=counts[group]) for group in groups])
    while len(groups) > 2:
        far = shaded_distance(means[:, np.newaxis], means)
        np.fill_diagonal(far, np.inf)
        mass = np.sqrt(sizes)
        cost = far if len(groups) <= most else far**2 * np.outer(mass, mass) / np.add.outer(mass, mass)
        one, other = sorted(map(int, np.unravel_index(cost.argmin(), cost.shape)))
        if len(groups) <= most and far[one, other] >= _ALIKE:
            break
        means[one] = np.average(means[[one, other]], axis=0, weights=sizes[[one, other]])
        sizes[one] += sizes[other]
        groups[one] = np.concatenate([groups[one], groups.pop(other)])
        means, sizes = np.delete(means, other, axis=0), np.delete(sizes, other)
    return groups


def _centres(lab: Lab, counts: NDArray[np.int64], number: int) -> Lab:
    """Return the centres of colours by k-means++, from a sample of the pixels that is always the same."""
    from scipy.cluster.vq import kmeans2

    rng = np.random.default_rng(0)
    sample = lab[rng.choice(len(lab), _SAMPLE, p=counts / counts.sum())]
    number = min(number, len(np.unique(sample, axis=0)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a group that gets empty: it keeps its centre
        centres: Lab = kmeans2(sample, number, minit="++", rng=rng)[0]
    return centres


def _typical(colours: NDArray[np.uint8], counts: NDArray[np.int64]) -> Rgb:
    """Return the colour of a group that is nearest to its median; nearly white is white, and so is black."""
    median = []
    for channel in colours.T:
        order = channel.argsort(kind="stable")
        half = np.searchsorted(counts[order].cumsum(), counts.sum() / 2)
        median.append(channel[order][half])
    apart = oklab(colours) - oklab(np.array(median, np.uint8))
    red, green, blue = map(int, colours[(apart**2).sum(axis=1).argmin()])
    if min(red, green, blue) >= 255 * (1 - BLANK):
        return (255, 255, 255)
    return (0, 0, 0) if max(red, green, blue) <= 255 * BLANK else (red, green, blue)


def drawn_palette(picture: Picture) -> Palette:
    """Return the colours of a drawing: its background first, then the darkest."""
    assert picture.background
    used = {tuple(map(int, rgb)) for rgb in np.unique(picture.pixels.reshape(-1, 3), axis=0)}
    return _from_the_darkest(picture.background, used)


def distances(picture: Picture, palette: Palette) -> Values:
    """Return how far each pixel is from each colour, shape (rows, columns, colours), 0 to 255."""
    if palette == BLACK_AND_WHITE:
        return 255.0 * np.stack([picture.detail, 1.0 - picture.detail], axis=2)
    return 255.0 * _fine(picture).far(oklab(rgb_of(palette)))


def nearest_cells(picture: Picture, palette: Palette) -> Cells:
    """Return the colour that most of what stands out in each cell has."""
    cells: Cells = _fine(picture).votes(oklab(rgb_of(palette))).argmax(axis=2).astype(np.uint8)
    return cells


def _fine(picture: Picture) -> Fine:
    return picture.fine or Fine(picture.colours, 1)


def _from_the_darkest(background: tuple[int, ...], found: Iterable[tuple[int, ...]]) -> Palette:
    return _palette([background, *sorted(set(found) - {background}, key=lambda rgb: (sum(rgb), rgb))])


def _palette(rgbs: Sequence[tuple[int, ...]]) -> Palette:
    hexes = [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in rgbs]
    return complete([Sketch(rgb=hexes[0], char="."), *(Sketch(rgb=rgb) for rgb in hexes[1:])])
