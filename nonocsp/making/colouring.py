"""The colours of a puzzle from a picture: given, or found in it; how far pixels are from them.

How far a pixel is from a colour counts from 0 to 255: the root of the mean square over the channels. For the
grey of a pixel and black that is the pixel's grey value, as in the cost of Batenburg et al. (2009).
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
        If one is unknown, if one comes twice, or if there are fewer than two.
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


def palette_of(picture: Picture, colours: int, given: Palette | None) -> Palette:
    """Return the palette that a picture is brought to: the given one, one found in it, or black on white.

    The background is, of the colours found, the one that most of the picture's rim has.

    Raises
    ------
    UsageError
        If so many colours are beyond a palette, or the picture has none.
    FormatError
        If it has one colour only.
    """
    if given:
        return given
    if not colours:
        return BLACK_AND_WHITE
    if not 1 <= colours <= MAX_COLOURS:
        raise UsageError(f"a puzzle has 1 to {MAX_COLOURS} colours beside the background, not {colours}")
    found = _found(_rgb(picture), colours + 1)
    if len(found) < 2:
        raise FormatError("the picture has one colour only", file=picture.name, expected="several")
    nearest = _far(_rgb(picture), found).argmin(axis=2)
    rim = np.concatenate([nearest[0], nearest[-1], nearest[1:-1, 0], nearest[1:-1, -1]])
    background = int(np.bincount(rim, minlength=len(found)).argmax())
    inks = [rgb for i, rgb in enumerate(found) if i != background]
    return _palette([found[background], *sorted(inks, key=sum)])


def distances(picture: Picture, palette: Palette) -> Distances:
    """Return how far the pixels are from each colour."""
    if palette == BLACK_AND_WHITE:
        return 255.0 * np.stack([picture.grey, 1.0 - picture.grey], axis=2)
    colours = [tuple(bytes.fromhex(colour.rgb[1:])) for colour in palette.colours]
    return _far(_rgb(picture), colours)


def _rgb(picture: Picture) -> NDArray[np.uint8]:
    if picture.rgb is not None:
        return picture.rgb
    grey = np.round(255 * (1.0 - picture.grey)).astype(np.uint8)
    return np.stack([grey] * 3, axis=2)


def _found(rgb: NDArray[np.uint8], count: int) -> list[tuple[int, ...]]:
    """Return so many colours that stand for all pixels, or fewer if there are not as many.

    An octree keeps colours pure, but takes near ones for one; then median cut, which mixes, may find more.
    """
    from PIL.Image import Quantize

    return max(
        (_quantised(rgb, count, method) for method in (Quantize.FASTOCTREE, Quantize.MEDIANCUT)), key=len
    )


def _quantised(rgb: NDArray[np.uint8], count: int, method: int) -> list[tuple[int, ...]]:
    import PIL.Image

    quantised = PIL.Image.fromarray(rgb).quantize(count, method, dither=PIL.Image.Dither.NONE)
    listed = np.array(quantised.getpalette("RGB"), np.uint8).reshape(-1, 3)
    used = np.unique(np.asarray(quantised))
    return sorted({_pure(tuple(map(int, listed[i]))) for i in used})


def _pure(rgb: tuple[int, ...]) -> tuple[int, ...]:
    """Return white or black for what is that to the eye: the mean of a few cells at an edge is not quite."""
    slack = 255 * BLANK
    white, black = min(rgb) >= 255 - slack, max(rgb) <= slack
    return (255,) * 3 if white else (0,) * 3 if black else rgb


def _far(rgb: NDArray[np.uint8], colours: Sequence[tuple[int, ...]]) -> Distances:
    apart = rgb[:, :, np.newaxis].astype(np.float64) - np.array(colours, np.float64)
    far: Distances = np.sqrt((apart**2).mean(axis=3))
    return far


def _palette(rgbs: Sequence[tuple[int, ...]]) -> Palette:
    hexes = [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in rgbs]
    return complete([Sketch(rgb=hexes[0], char="."), *(Sketch(rgb=rgb) for rgb in hexes[1:])])
