"""Name colours as people do: ``#fe8b12`` is orange, and two greens are light green and dark green.

The word is that of the nearest colour of CSS in OKLab, where equal distances look equally different. Each
colour of CSS stands for one of fifteen plain words. Colours with one word are told apart by lightness.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from nonocsp.model.oklab import Lab, oklab

_SAMPLES = {
    "black": "black",
    "white": "white snow ivory whitesmoke ghostwhite floralwhite mintcream azure",
    "grey": "grey dimgrey darkgrey lightgrey silver gainsboro",
    "red": "red crimson firebrick darkred maroon tomato orangered indianred brown",
    "orange": "orange darkorange coral sandybrown",
    "yellow": "yellow gold lightyellow khaki palegoldenrod lemonchiffon lightgoldenrodyellow",
    "brown": "saddlebrown sienna chocolate peru darkgoldenrod goldenrod rosybrown",
    "beige": "beige wheat tan burlywood bisque antiquewhite moccasin navajowhite papayawhip oldlace linen "
    "cornsilk peachpuff blanchedalmond",
    "olive": "olive olivedrab darkolivegreen darkkhaki",
    "green": "green darkgreen forestgreen seagreen limegreen lime lightgreen palegreen lawngreen chartreuse "
    "springgreen mediumseagreen yellowgreen greenyellow darkseagreen mediumspringgreen honeydew",
    "teal": "teal darkcyan lightseagreen cadetblue",
    "turquoise": "turquoise cyan aquamarine mediumturquoise darkturquoise paleturquoise mediumaquamarine "
    "lightcyan",
    "blue": "blue navy mediumblue darkblue midnightblue royalblue dodgerblue steelblue cornflowerblue "
    "skyblue lightblue lightskyblue deepskyblue lightsteelblue powderblue slateblue aliceblue",
    "purple": "purple indigo rebeccapurple darkviolet blueviolet mediumpurple darkorchid mediumorchid orchid "
    "magenta darkmagenta plum violet thistle lavender darkslateblue mediumslateblue",
    "pink": "pink hotpink deeppink lightpink palevioletred mediumvioletred salmon lightsalmon lightcoral "
    "darksalmon mistyrose lavenderblush seashell",
}
"""The colours of CSS that each word stands for."""
_WEIGHTS = np.array([0.25, 1.0, 1.0])
"""Lightness counts half as much as hue: a dark brown is a brown before it is a dark grey."""


class _Hue(NamedTuple):
    """A colour to name."""

    place: int
    lightness: float
    word: str


def colour_names(rgbs: Sequence[str], given: Sequence[str] = ()) -> list[str]:
    """Return a different name for each colour."""
    names = list(given) or [""] * len(rgbs)
    if all(names):
        return names
    groups: dict[str, list[_Hue]] = {}
    hues = [_Hue(place, *_described(rgb)) for place, rgb in enumerate(rgbs)]
    for hue in sorted(hues, key=lambda hue: min(hue.lightness, 1 - hue.lightness)):
        # There is one black and one white; a second colour that is nearly so is a grey.
        word = "grey" if hue.word in ("black", "white") and hue.word in groups else hue.word
        groups.setdefault(word, []).append(hue)
    taken = set(filter(None, names))
    for word, group in groups.items():
        group.sort(key=lambda hue: (-hue.lightness, rgbs[hue.place], hue.place))
        plain = next((i for i, hue in enumerate(group) if names[hue.place] == word), None)
        if plain is None and word not in taken and len(group) != 2:
            plain = len(group) // 2
        for i, hue in enumerate(group):
            if not names[hue.place]:
                middle = (len(group) - 1) / 2 if plain is None else plain
                wanted = word if i == middle else f"{'light' if i < middle else 'dark'} {word}"
                names[hue.place] = _unused(wanted, taken)
                taken.add(names[hue.place])
    return names


def _unused(name: str, taken: set[str]) -> str:
    """Return the name, with a number if it is taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


@cache
def _described(rgb: str) -> tuple[float, str]:
    """Return the lightness of a colour, 0 to 1, and the word of the nearest colour of CSS."""
    words, samples = _samples()
    lab = oklab(np.frombuffer(bytes.fromhex(rgb[1:]), np.uint8))
    return float(lab[0]), words[int(np.argmin((samples - lab) ** 2 @ _WEIGHTS))]


@cache
def _samples() -> tuple[list[str], Lab]:
    """Return the word of each colour of CSS, and the colours, shape (colours, 3)."""
    from PIL.ImageColor import getrgb  # only a file with colours needs it

    pairs = [(word, getrgb(name)) for word, names in _SAMPLES.items() for name in names.split()]
    return [word for word, _ in pairs], oklab(np.array([rgb[:3] for _, rgb in pairs], np.uint8))
