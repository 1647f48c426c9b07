"""One puzzle in the JSON of many programs, and documents to refuse, for the package and for the page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

ROWS, COLUMNS = [[2, 1], [1], [3]], [[2], [1, 1], [1], [1, 1]]
PICTURE = ["##.#", "#...", ".###"]
BASE = {"rows": ROWS, "columns": COLUMNS}
_BITS = [[int(cell == "#") for cell in row] for row in PICTURE]

_NAMES = (
    *(
        ("rows", "columns"),
        ("Rows", "COLS"),
        ("row", "col"),
        ("row_clues", "column-clues"),
        ("rowHints", "colHints"),
    ),
    *(
        ("left", "top"),
        ("leftClues", "topClues"),
        ("clues_left", "clues_top"),
        ("cluesForRows", "cluesForColumns"),
    ),
    *(("hor", "ver"), ("horizontal", "vertical"), ("h", "v"), ("across", "down"), ("zeilen", "spalten")),
)


def _text(separator: str) -> Any:
    return lambda clues: [separator.join(map(str, clue)) for clue in clues]


_CLUES: dict[str, Any] = {
    "lists": lambda clues: clues,
    "blanks": _text(" "),
    "commas": _text(","),
    "hyphens": _text("-"),
    "brackets": lambda clues: [str(clue) for clue in clues],
    "numbers": lambda clues: [clue[0] if len(clue) == 1 else clue for clue in clues],
    "floats": lambda clues: [[float(length) for length in clue] for clue in clues],
    "digits": lambda clues: [[*map(str, clue)] for clue in clues],
    "zeros before": lambda clues: [[0] * (3 - len(clue)) + clue for clue in clues],
    "zeros behind": lambda clues: [clue + [0] * (3 - len(clue)) for clue in clues],
    "blanks behind": lambda clues: [[*clue, "", ""] for clue in clues],
    "objects": lambda clues: [[{"length": length, "done": False} for length in clue] for clue in clues],
    "wrapped": lambda clues: [{"clue": clue, "solved": False} for clue in clues],
    "one text": lambda clues: "\n".join(_text(" ")(clues)),
    "slashes": lambda clues: "/".join(_text(".")(clues)),
    "numbered": lambda clues: {str(i): clue for i, clue in enumerate(clues)},
    "inside": lambda clues: {"count": len(clues), "clues": clues},
}
_FRAMES: dict[str, Any] = {
    "alone": lambda one: one,
    "list": lambda one: [one],
    "puzzles": lambda one: {"version": 2, "puzzles": [one]},
    "any key": lambda one: {"meta": {"by": "me"}, "my-set": [one]},
    "by name": lambda one: {"cat": one},
    "nested": lambda one: {"size": {"width": 4, "height": 3}, "clues": one},
    "deep": lambda one: {"data": {"levels": [{"nonogram": one}]}},
}
_GOALS: dict[str, Any] = {
    "characters": PICTURE,
    "blanks": ["## #", "#   ", " ###"],
    "digits": ["1101", "1000", "0111"],
    "blocks": ["██░█".replace("░", "_"), "█___", "_███"],
    "one text": "##.#\n#...\n.###\n",
    "booleans": [[bool(cell) for cell in row] for row in _BITS],
    "bits": _BITS,
    "floats": [[float(cell) for cell in row] for row in _BITS],
    "lists of characters": [[*row] for row in PICTURE],
    "lists of digits": [[str(cell) for cell in row] for row in _BITS],
    "colours": [["#000000" if cell else "#ffffff" for cell in row] for row in _BITS],
    "names": [["black" if cell else "white" for cell in row] for row in _BITS],
}


def read() -> Iterator[tuple[str, Any, bool]]:
    """Yield documents with the puzzle `BASE`: a name, the document, and whether `PICTURE` is its goal."""
    for (rows, columns), (name, clues) in product(_NAMES, _CLUES.items()):
        yield f"{rows}, {columns}, {name}", {rows: clues(ROWS), columns: clues(COLUMNS)}, False
    for (frame, wrap), (rows, columns) in product(_FRAMES.items(), _NAMES):
        yield f"{frame}: {columns}, {rows}", wrap({columns: COLUMNS, rows: _CLUES["blanks"](ROWS)}), False
    for key, (name, goal) in product(
        ("goal", "solution", "grid", "Image", "cells", "picture"), _GOALS.items()
    ):
        yield f"{key} alone: {name}", {key: goal}, True
        yield f"{key}: {name}", {"rows": ROWS, "columns": COLUMNS, key: goal}, True
    flat = [cell for row in _BITS for cell in row]
    yield "flat goal", {**BASE, "solution": flat}, True
    yield "flat goal alone", {"width": 4, "height": 3, "solution": flat}, True
    yield "goal around", {"solution": _BITS, "clues": BASE}, True
    yield "begun game", {**BASE, "grid": [[-1, 0, 0, 0]] * 3}, False
    yield "empty game", {**BASE, "grid": [[0] * 4] * 3}, False
    yield "unknown cells", {**BASE, "solution": [[None] * 4] * 3}, False
    yield "sizes beside", {"rows": 3, "cols": 4, "row_clues": ROWS, "col_clues": COLUMNS}, False
    sized = {"width": 4, "height": 3}
    yield "both in two lists", {**sized, "clues": [COLUMNS, ROWS]}, False
    yield "both in one list", {**sized, "clues": [*ROWS, *COLUMNS]}, False
    yield "both, told by the goal", {"clues": [COLUMNS, ROWS], "goal": PICTURE}, True
    yield "told by the size", {**sized, "hor": COLUMNS, "ver": ROWS}, False
    yield "told by the goal", {"v": ROWS, "h": COLUMNS, "goal": PICTURE}, True
    yield "other keys", {**BASE, "difficulty": 3, "goal": None, "tags": ["a", "b"]}, False


REFUSED: list[tuple[Any, str]] = [
    ({"rows": [[2, 1], None, [3]], "cols": COLUMNS}, "rows[1]: null is an unknown clue"),
    ({"rows": [[2, None], [1], [3]], "cols": COLUMNS}, "rows[0][1]: null is an unknown clue"),
    ({"rows": ["2 1", "?", "3"], "cols": COLUMNS}, 'rows[1]: "?" is an unknown clue'),
    ({"rows": [[2, "?"], [1], [3]], "cols": COLUMNS}, 'rows[0][1]: "?" is an unknown clue'),
    ({"rows": [[2, 0, 1], [1], [3]], "cols": COLUMNS}, "row 1: a block has at least one cell, not 0"),
    ({"rows": [[2, True], [1], [3]], "cols": COLUMNS}, "rows[0][1]: true is no block"),
    ({"rows": [[2.5], [1], [3]], "cols": COLUMNS}, "rows[0][0]: 2.5 is no block"),
    ({"rows": ["two", "1", "3"], "cols": COLUMNS}, 'rows[0]: "two" is no clue'),
    ({"puzzles": [BASE, {"rows": ROWS, "cols": [[2], ["x"]]}]}, 'puzzles[1].cols[1][0]: "x" is no block'),
    ({"nonograms": [BASE, {"rowHints": ROWS}]}, "nonograms[1]: no clues of columns"),
    (
        {"rowHints": ROWS, "rowClues": [[1]], "cols": COLUMNS},
        "'rowHints' and 'rowClues' are both clues of rows",
    ),
    ({"width": 3, "height": 4, **BASE}, "the size says the opposite"),
    (
        {"clues": [ROWS, COLUMNS]},
        "clues fits with the clues of the rows first, and with those of the columns first",
    ),
    ([ROWS, COLUMNS], "clues fits with the clues of the rows first"),
    ({"clues": [*ROWS, *COLUMNS]}, "clues has 7 clues"),
    ({**BASE, "goal": ["##.#", "#...", ".##."]}, "row 3: the stored solution does not have this clue"),
    ({**BASE, "goal": ["##.#", "#...", ".##x"]}, "goal[2]: 'x' is no cell"),
    ({**BASE, "solution": [[0] * 3] * 4}, "the grid is 4x3, the puzzle 3x4"),
    ({"image": [[1, 0], [1]]}, "image[1]: 1 cells; expected 2"),
    ({"image": [[1, {}]]}, "image[0]: {} is no cell"),
    ({"columns": ["a", "b"], "rows": [["x", 1], ["y", 2]]}, 'rows[0][0]: "x" is no block'),
    ({"cat": 3}, "no clues of rows and columns"),
]

RED_BLUE = [
    {"name": "white", "rgb": "#ffffff"},
    {"name": "red", "rgb": "#d7191c"},
    {"name": "blue", "rgb": "#2c7bb6"},
]
_COLOURED = ([[("red", 2), ("blue", 1)], [("blue", 3)]], [[("red", 1), ("blue", 1)]] * 2 + [[("blue", 2)]])
COLOURED = {
    axis: [[[length, colour] for colour, length in clue] for clue in clues]
    for axis, clues in zip(BASE, _COLOURED, strict=True)
}
"""Rows 2 red 1 blue / 3 blue, columns 1 red 1 blue / 1 red 1 blue / 2 blue."""
_INDEX = {"red": 1, "blue": 2}
_BLOCKS: dict[str, Any] = {
    "length, name": lambda colour, length: [length, colour],
    "name, length": lambda colour, length: [colour, length],
    "object": lambda colour, length: {"length": length, "color": colour},
    "count": lambda colour, length: {"count": length, "colour": colour.upper()},
    "rgb": lambda colour, length: [length, "#d7191c" if colour == "red" else "#2C7BB6"],
    "object with index": lambda colour, length: {"length": length, "colorIndex": _INDEX[colour]},
    "length, index": lambda colour, length: [length, _INDEX[colour]],
    "index, length": lambda colour, length: [_INDEX[colour], length],
}
_PALETTES: dict[str, Any] = {
    "objects": RED_BLUE,
    "names": ["white", "red", "blue"],
    "inks": ["red", "blue"],
    "rgb": ["#ffffff", "#d7191c", "#2c7bb6"],
    "object": {"red": "#d7191c", "blue": "#2c7bb6"},
    "numbers": [[255, 255, 255], [215, 25, 28], [44, 123, 182]],
    "none": None,
}


def coloured() -> Iterator[tuple[str, Any]]:
    """Yield documents with the puzzle `COLOURED`, whatever its colours are called."""
    for (block_name, block), (palette_name, palette) in product(_BLOCKS.items(), _PALETTES.items()):
        is_named = palette_name in ("objects", "names", "inks", "object", "none")
        if (block_name == "rgb" and palette_name in ("names", "inks")) or (
            "name" in block_name and not is_named
        ):
            continue
        if block_name in ("object", "count") and not is_named:
            continue
        clues = {
            axis: [[block(*pair) for pair in clue] for clue in side]
            for axis, side in zip(BASE, _COLOURED, strict=True)
        }
        yield f"{block_name}; {palette_name}", clues | ({} if palette is None else {"colors": palette})
    lengths = {
        axis: [[length for _, length in clue] for clue in side]
        for axis, side in zip(BASE, _COLOURED, strict=True)
    }
    colours = {
        f"{axis[:-1]}Colors": [[colour for colour, _ in clue] for clue in side]
        for axis, side in zip(BASE, _COLOURED, strict=True)
    }
    yield "colours beside", lengths | colours
    yield "numbers as a picture", {"image": [[1, 1, 2], [2, 2, 2]], "colors": ["red", "blue"]}
    yield "names as a picture", {"image": [["red", "red", "blue"], ["blue"] * 3]}
    yield "characters as a picture", {"image": ["aab", "bbb"], "palette": {"a": "red", "b": "blue"}}
    yield "drawing", {"image": ["aab", "bbb"]}


REFUSED += [
    (
        {"rows": [[[1, 2]], [[2, 1]]], "cols": [[[2, 1]], [[1, 2]]]},
        "rows[0][0]: [1, 2] is [length, colour] or",
    ),
    (
        {"colors": ["red"], "rows": [[[1, "pink"]]], "cols": [[[1, "red"]]]},
        'rows[0][0]: unknown colour "pink"',
    ),
    ({"colors": ["red", "blue"], "rows": [[[1, 5]]], "cols": [[[1, 5]]]}, "unknown colour"),
]
