"""What an author objects to in the puzzles of `forty` pictures, by the picture's name.

Written by looking at the page of pictures. Look again when the puzzles change.
"""

from __future__ import annotations

_ONE_SIDE = "the light side of the face has no outline"
REMARKS = {
    "lens": "two added corners give the ring horns",
    "chequers": "a pattern, and the one missing square shows",
    "barcode": "one row is no puzzle",
    "portrait": _ONE_SIDE,
    "textured portrait": _ONE_SIDE,
    "hello": "L, L and O touch: seven rows are too few",
    "ramp": "a black block: a shade without shapes is no subject",
    "ball": "a crescent: the light side and the shadow are gone",
    "sunset": "every row gives itself away",
    "mist": "nobody sees ridges in these lines and areas",
    "clouds": "specks: noise is no subject",
    "wood": "a pattern, good for a background",
    "leaves": "nobody sees leaves in these outlines",
    "house": "the window and the tree on the right are torn by the noise",
    "pears": "a speck of noise stands in the background, and the leaf is torn",
    "lighthouse": "the white stripes melt into the sky, and a black one has a notch",
    "boat": "the white sail is gone and the sun is brown: six colours in four",
}
