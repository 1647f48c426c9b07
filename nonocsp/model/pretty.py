"""A puzzle as text: clues outside, cells inside."""

from __future__ import annotations

from nonocsp.model.clue import Clue
from nonocsp.model.grid import Grid
from nonocsp.model.palette import Palette
from nonocsp.model.puzzle import Puzzle


def pretty(puzzle: Puzzle, grid: Grid | None = None) -> str:
    """Return the puzzle with its clues on top and at the left, and the cells of `grid` (default: unknown).

    In one colour a block is its length; in several its colour's character follows (``3#``).
    """
    grid = grid or Grid.unknown(*puzzle.shape, puzzle.palette)
    left = [" ".join(block_strings(clue, puzzle.palette)) for clue in puzzle.rows]
    margin = max(map(len, left))
    top = [block_strings(clue, puzzle.palette) for clue in puzzle.columns]
    height, width = max(map(len, top)), max(len(block) for clue in top for block in clue)
    padded = [[""] * (height - len(clue)) + clue for clue in top]
    lines = [
        " " * margin + " " + " ".join(block.rjust(width) for block in blocks)
        for blocks in zip(*padded, strict=True)
    ]
    lines += [
        f"{clue.rjust(margin)} " + " ".join(char.rjust(width) for char in row)
        for clue, row in zip(left, grid.strings(puzzle.palette), strict=True)
    ]
    return "\n".join(lines)


def block_strings(clue: Clue, palette: Palette) -> list[str]:
    """Return the blocks of a clue: a length, in several colours followed by the colour's character."""
    if not clue:
        return ["0"]
    if palette.is_one_colour:
        return [str(block.length) for block in clue]
    return [f"{block.length}{palette[block.colour].char}" for block in clue]
