"""Choose the colours of a puzzle from a picture, and measure how far the picture's pixels are from them.

The distance between a pixel and a colour is the root of the mean square over the channels, 0 to 255. Between
a grey pixel and black it is the pixel's grey value, as in the cost of Batenburg et al. (2009).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nonocsp.formats.palettes import Sketch, complete
from nonocsp.making.picture import BLANK, Picture
from nonocsp.model import BLACK_AND_WHITE, MAX_COLOURS, FormatError, Palette, UsageError

Distances = NDArray[np.float64]
"""Shape (rows, columns, colours), 0 to 255."""


def parse_palette(colours: Sequence[str]) -> Palette:
    """Return the palette of some colours, the background first: ``"#d7191c"``, or a name such as ``"red"``.

    Raises
    ------
    UsageError
        If a colour is unknown or comes twice, or if there are fewer than two or more than a palette holds.
    """
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
    """Return colours that stand for those of a picture.

    Parameters
    ----------
    picture
        One pixel a cell.
    colours
        Number of foreground colours; there are fewer if the picture has fewer.

    Returns
    -------
    Palette
        First the background, which is the colour that most of the picture's rim has; then the darkest.

    Raises
    ------
    UsageError
        If a palette cannot have that many colours.
    FormatError
        If the picture has one colour only.
    """
    from PIL.Image import Dither, Quantize, fromarray

    if not 1 <= colours <= MAX_COLOURS:
        raise UsageError(f"a puzzle has 1 to {MAX_COLOURS} foreground colours, not {colours}")
    pixels = picture.colours
    found: list[tuple[int, ...]] = []
    # An octree keeps colours pure, but merges similar ones; median cut mixes, but then finds more.
    for method in (Quantize.FASTOCTREE, Quantize.MEDIANCUT):
        quantised = fromarray(pixels).quantize(colours + 1, method, dither=Dither.NONE)
        listed = np.array(quantised.getpalette("RGB"), np.uint8).reshape(-1, 3)
        used = listed[np.unique(np.asarray(quantised))]
        # The mean of cells at an edge is not quite white or black, but looks so.
        used[used.min(axis=1) >= 255 * (1 - BLANK)] = 255
        used[used.max(axis=1) <= 255 * BLANK] = 0
        found = max(found, sorted({tuple(map(int, colour)) for colour in used}), key=len)
    if len(found) < 2:
        raise FormatError("the picture has one colour only", file=picture.name, expected="several")
    nearest = _far(pixels, found).argmin(axis=2)
    rim = np.concatenate([nearest[0], nearest[-1], nearest[1:-1, 0], nearest[1:-1, -1]])
    background = int(np.bincount(rim, minlength=len(found)).argmax())
    inks = [rgb for i, rgb in enumerate(found) if i != background]
    return _palette([found[background], *sorted(inks, key=sum)])


def drawn_palette(picture: Picture) -> Palette:
    """Return the colours of a drawing: its background first, then the darkest."""
    assert picture.background
    used = {tuple(map(int, rgb)) for rgb in np.unique(picture.pixels.reshape(-1, 3), axis=0)}
    return _palette(
        [picture.background, *sorted(used - {picture.background}, key=lambda rgb: (sum(rgb), rgb))]
    )


def distances(picture: Picture, palette: Palette) -> Distances:
    """Return how far each pixel is from each colour, shape (rows, columns, colours), 0 to 255.

    Parameters
    ----------
    picture
        One pixel a cell.
    palette
        The colours, the background first.
    """
    if palette == BLACK_AND_WHITE:
        return 255.0 * np.stack([picture.grey, 1.0 - picture.grey], axis=2)
    colours = [tuple(bytes.fromhex(colour.rgb[1:])) for colour in palette.colours]
    return _far(picture.colours, colours)


def _far(rgb: NDArray[np.uint8], colours: Sequence[tuple[int, ...]]) -> Distances:
    apart = rgb[:, :, np.newaxis].astype(np.float64) - np.array(colours, np.float64)
    far: Distances = np.sqrt((apart**2).mean(axis=3))
    return far


def _palette(rgbs: Sequence[tuple[int, ...]]) -> Palette:
    hexes = [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in rgbs]
    return complete([Sketch(rgb=hexes[0], char="."), *(Sketch(rgb=rgb) for rgb in hexes[1:])])
