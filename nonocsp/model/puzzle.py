"""The puzzle model that every backend, format and report shares."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from nonocsp.late import late, shown
from nonocsp.late import numpy as np
from nonocsp.model import bounds
from nonocsp.model.clue import Clue, FlatClues, Line
from nonocsp.model.errors import PuzzleError
from nonocsp.model.grid import Grid
from nonocsp.model.numbers import PlainClues, clues_of
from nonocsp.model.palette import BLACK_AND_WHITE, MAX_COLOURS, Palette

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MAX_LINES = bounds.LINES
"""The most rows and the most columns of a puzzle."""
_LONGEST_TOLD = 10**100
"""A length beyond this is not told: Python writes no number of more than 4300 digits."""
_NAMED_CHARS = 100
"""Of a clue in a message."""


class ClueDraft(NamedTuple):
    """The clues of rows and columns as someone typed them.

    Each block has cells and a colour, but a clue may be too long for its line, and the sums of rows and
    columns may differ.
    """

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    palette: Palette


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A nonogram: the clues of its rows (top to bottom) and columns (left to right).

    Two puzzles are equal if everything about them is, titles included; `canonical_hash` looks at clues only.
    `print` shows a puzzle with its clues, and a notebook its picture.

    Parameters
    ----------
    rows, columns
        The clues. `Puzzle.from_clues` takes plain numbers.
    palette
        The colours that block colours index.
    title, author, licence, source
        Free text, empty if unknown.
    goal
        The solution that came with the puzzle, if any.

    Raises
    ------
    PuzzleError
        Naming the line: a clue longer than its line, a block of no length or of an unknown colour; or, for
        the whole puzzle: no rows or columns, more than `MAX_LINES`, sums of rows and columns that differ in a
        colour, a goal that has other clues.
    """

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    palette: Palette = BLACK_AND_WHITE
    title: str = ""
    author: str = ""
    licence: str = ""
    source: str = ""
    goal: Grid | None = None

    def __post_init__(self) -> None:
        shape = vars(self).get("shape") or (len(self.rows), len(self.columns))
        if not 1 <= min(shape) <= max(shape) <= MAX_LINES:
            what, count = ("columns", shape[1]) if 1 <= shape[0] <= MAX_LINES else ("rows", shape[0])
            raise PuzzleError(f"a puzzle has 1 to {MAX_LINES} {what}, not {count}")
        if not self._clues_agree():
            self._raise_fault(shape)
        if self.goal is not None and (wrong := mismatches(self, self.goal)):
            raise PuzzleError("the stored solution does not have this clue", line=str(wrong[0]))

    @classmethod
    def from_clues(cls, rows: PlainClues, columns: PlainClues, **rest: Any) -> Puzzle:
        """Return the puzzle with these clues.

        Parameters
        ----------
        rows, columns
            The clues, top to bottom and left to right: lengths, or (length, colour) pairs. Lists, or arrays
            of shape (lines, blocks) or (lines, blocks, 2). Zeros and NaN at the ends of a clue are padding.
        **rest
            Other fields of `Puzzle`. Without a palette, it gets one with as many colours as the clues use.

        Raises
        ------
        PuzzleError
            If the clues describe no puzzle, with the line at fault.
        """
        flat_rows, flat_columns = FlatClues.of_numbers(rows), FlatClues.of_numbers(columns)
        if flat_rows is not None and flat_columns is not None:
            if "palette" not in rest:
                highest = max({1} | flat_rows.colours_used | flat_columns.colours_used)
                rest["palette"] = Palette.of(min(highest, MAX_COLOURS))
            return cls.from_flat(flat_rows, flat_columns, **rest)
        row_clues, column_clues = clues_of(rows, "row"), clues_of(columns, "column")
        if "palette" not in rest:
            colours = (block.colour for clue in (*row_clues, *column_clues) for block in clue)
            highest = max(colours, default=1)  # a wrong one is the fault of its line
            rest["palette"] = Palette.of(min(max(highest, 1), MAX_COLOURS))
        return cls(row_clues, column_clues, **rest)

    @classmethod
    def from_flat(cls, rows: FlatClues, columns: FlatClues, **rest: Any) -> Puzzle:
        """Return the puzzle with clues in flat arrays, checked; its `Clue` objects are made when asked for.

        Parameters
        ----------
        rows, columns
            The clues.
        **rest
            Other fields of `Puzzle`.

        Raises
        ------
        PuzzleError
            As for `Puzzle`.
        """
        puzzle = object.__new__(cls)
        shape = rows.line_count, columns.line_count
        vars(puzzle).update(_PLAIN, flat_rows=rows, flat_columns=columns, shape=shape, **rest)
        puzzle.__post_init__()
        return puzzle

    @classmethod
    def from_grid(cls, grid: Grid | ArrayLike, *, palette: Palette | None = None, **rest: Any) -> Puzzle:
        """Return the puzzle that a full grid is a solution of, with the grid as its goal.

        Parameters
        ----------
        grid
            A full grid, or its colours, shape (rows, columns).
        palette
            The colours of its cells; by default as many as it has, at least one.
        **rest
            Other fields of `Puzzle`.

        Raises
        ------
        PuzzleError
            If a cell is undecided or has no colour in the palette.
        """
        grid = as_grid(grid)
        if not grid.is_full:
            raise PuzzleError(f"clues need a full grid; {grid.unknown_cells} cells are undecided")
        if 0 in grid.shape:
            raise PuzzleError("a puzzle has at least one row and one column")
        cells = grid.cells
        palette = palette or Palette.of(max(1, int(cells.max())))
        rows = FlatClues.of_cells(cells).clues()
        columns = FlatClues.of_cells(cells.T).clues()
        return cls(rows, columns, palette=palette, goal=grid, **rest)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the flat arrays: a fourth of the bytes, and nothing is checked again."""
        rest = {key: value for key, value in vars(self).items() if key not in _DERIVED}
        return _restored, ((*self.flat_rows, *self.flat_columns), rest)

    if not TYPE_CHECKING:  # with __getattr__, mypy would accept every attribute name

        def __getattr__(self, name: str) -> tuple[Clue, ...]:
            """Make the clues of a puzzle from a pickle when they are first asked for: most solvers do not."""
            if name not in ("rows", "columns"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            clues = vars(self)[name] = vars(self)[f"flat_{name}"].clues()
            return clues

    def __str__(self) -> str:
        return shown("described", self)

    def __repr__(self) -> str:
        """Return the call that makes the puzzle, without its goal."""
        plain = self.palette.is_one_colour
        rows, columns = (
            [[block.length if plain else tuple(block) for block in clue] for clue in clues]
            for clues in (self.rows, self.columns)
        )
        highest = max((block.colour for clue in (*self.rows, *self.columns) for block in clue), default=1)
        rest = {} if self.palette == Palette.of(highest) else {"palette": self.palette}
        rest |= {name: text for name in _TEXTS if (text := getattr(self, name))}
        more = "".join(f", {name}={value!r}" for name, value in rest.items())
        return f"Puzzle.from_clues({rows}, {columns}{more})"

    def _repr_svg_(self) -> str:
        """Return the picture that a page without scripts shows."""
        return shown("svg", self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the picture, and the puzzle to play in a frame of its own."""
        return shown("playable", self)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """(number of rows, number of columns)."""
        return self.flat_rows.line_count, self.flat_columns.line_count

    @cached_property
    def flat_rows(self) -> FlatClues:
        """The rows' clues in flat arrays."""
        return FlatClues.of(self.rows)

    @cached_property
    def flat_columns(self) -> FlatClues:
        """The columns' clues in flat arrays."""
        return FlatClues.of(self.columns)

    @cached_property
    def canonical_hash(self) -> str:
        """SHA-256 (hexadecimal) of the clues alone.

        The same for one puzzle whatever file it came from: titles, the goal, and the names and numbering of
        colours do not count (colours are numbered as they first appear, rows first). Reflections and the
        transposed puzzle hash differently: to a backend they are other puzzles.
        """
        from hashlib import sha256

        rows, columns = self.flat_rows, self.flat_columns
        colours = memoryview(rows.colour_bytes + columns.colour_bytes).cast("i")
        number = {colour: place for place, colour in enumerate(dict.fromkeys(colours))}
        ints = array("i", b"".join([*rows[:2], *columns[:2]]))
        ints.extend(map(number.__getitem__, colours))
        if sys.byteorder == "big":
            ints.byteswap()
        return sha256(f"{self.shape}".encode() + ints).hexdigest()

    def line_clue(self, line: Line) -> Clue:
        """Return the clue of a line."""
        return (self.rows if line.axis == "row" else self.columns)[line.position]

    def draft(self) -> ClueDraft | None:
        """Return the clues alone; None if a block has no cells, or no colour of the palette."""
        try:
            flat = (self.flat_rows, self.flat_columns)
        except OverflowError:
            return None
        known = range(1, len(self.palette))
        sound = all((one.lengths >= 1).all() and one.colours_used <= {*known} for one in flat)
        return ClueDraft(self.rows, self.columns, self.palette) if sound else None

    def clues_only(self) -> Puzzle:
        """Return the puzzle without goal and titles."""
        flat = {"flat_rows": self.flat_rows, "flat_columns": self.flat_columns}
        return _unchecked({**_PLAIN, "palette": self.palette, **flat})

    def transposed(self) -> Puzzle:
        """Return the puzzle with rows and columns exchanged."""
        goal = self.goal.transposed() if self.goal else None
        return replace(self, rows=self.columns, columns=self.rows, goal=goal)

    def reflected(self, *, left_right: bool = False, top_bottom: bool = False) -> Puzzle:
        """Return the mirror image.

        Parameters
        ----------
        left_right
            Exchange left and right.
        top_bottom
            Exchange top and bottom.
        """
        rows, columns = self.rows, self.columns
        if left_right:
            rows, columns = tuple(clue.reversed() for clue in rows), columns[::-1]
        if top_bottom:
            rows, columns = rows[::-1], tuple(clue.reversed() for clue in columns)
        goal = self.goal.reflected(left_right=left_right, top_bottom=top_bottom) if self.goal else None
        return replace(self, rows=rows, columns=columns, goal=goal)

    def _clues_agree(self) -> bool:
        """Return whether each clue fits its line, with known colours, and both axes have the same cells."""
        try:
            agree: bool = late("engine.lines", "clues_agree")(
                self.flat_rows, self.flat_columns, len(self.palette)
            )
        except OverflowError:  # a length beyond 32 bits is a fault, too
            return False
        return agree

    def _raise_fault(self, shape: tuple[int, int]) -> None:
        """Raise PuzzleError for the first clue with a fault, or for the first colour whose sums differ."""
        for axis, clues, length in (("row", self.rows, shape[1]), ("column", self.columns, shape[0])):
            for i, clue in enumerate(clues):
                if fault := self._fault(clue, length):
                    raise PuzzleError(fault, line=f"{axis} {i + 1}", draft=self.draft())
        for number, colour in enumerate(self.palette.colours):
            in_rows, in_columns = (
                sum(block.length for clue in clues for block in clue if block.colour == number)
                for clues in (self.rows, self.columns)
            )
            if in_rows != in_columns:
                raise PuzzleError(
                    f"the rows have {in_rows} {colour.name} cells and the columns {in_columns}; "
                    "both must be the same",
                    draft=self.draft(),
                )
        raise AssertionError("the core refuses clues that have no fault")

    def _fault(self, clue: Clue, length: int) -> str:
        """Return what is wrong with a clue of a line of `length` cells; empty if nothing is."""
        for block in clue:
            if block.length < 1:
                return f"a block has at least one cell, not {max(block.length, -_LONGEST_TOLD)}"
            if not 1 <= block.colour < len(self.palette):
                return f"unknown colour {block.colour}; the palette has 1 to {len(self.palette) - 1}"
        if clue.min_length > _LONGEST_TOLD:
            return f"the clue needs more than 10^100 cells, the line has {length}"
        if clue.min_length > length:
            named = clue.named(self.palette)
            named = named if len(named) <= _NAMED_CHARS else f"{named[:_NAMED_CHARS]}..."
            return f"the clue {named} needs {clue.min_length} cells, the line has {length}"
        return ""


def checked_puzzle(value: object) -> Puzzle:
    """Return the value; TypeError, with what to do, if it is not a puzzle."""
    if isinstance(value, Puzzle):
        return value
    advice = ""
    if isinstance(value, (str, PathLike)):
        advice = f"; nonocsp.load({str(value)!r}) reads a file"
    elif isinstance(value, (list, tuple, Iterator)):
        advice = "; nonocsp.solve_many takes several"
    raise TypeError(f"expected a Puzzle, not {type(value).__name__}{advice}")


def as_grid(grid: Grid | ArrayLike) -> Grid:
    """Return a grid, or the full grid that has these colours."""
    return grid if isinstance(grid, Grid) else Grid.from_cells(grid)


def mismatches(puzzle: Puzzle, grid: Grid | ArrayLike) -> list[Line]:
    """Return the lines of a full grid whose runs are not the puzzle's clue; empty if the grid solves it.

    Independent of every backend: runs are read off the cells, nothing is shared with the engine.

    Parameters
    ----------
    puzzle
        The clues.
    grid
        A full grid of the puzzle's shape, or its colours.

    Raises
    ------
    PuzzleError
        If the grid has another shape than the puzzle, or undecided cells.
    """
    grid = as_grid(grid)
    if grid.shape != puzzle.shape:
        raise PuzzleError(f"the grid is {_size(grid.shape)}, the puzzle {_size(puzzle.shape)}")
    if not grid.is_full:
        raise PuzzleError(f"a solution is a full grid; {grid.unknown_cells} cells are undecided")
    return mismatches_of_cells(puzzle, grid.colours(unknown=0))


def mismatches_of_cells(puzzle: Puzzle, cells: NDArray[np.uint8]) -> list[Line]:
    """Return the lines whose clues are not the puzzle's, of the colours of a full grid of its shape."""
    rows = puzzle.flat_rows.differing_lines(FlatClues.of_cells(cells))
    columns = puzzle.flat_columns.differing_lines(FlatClues.of_cells(cells.T))
    return [Line("row", i) for i in rows] + [Line("column", i) for i in columns]


def verify(puzzle: Puzzle, grid: Grid | ArrayLike) -> bool:
    """Return whether a grid solves a puzzle; `mismatches` says where it does not.

    Parameters
    ----------
    puzzle
        The clues.
    grid
        A full grid, or its colours, shape (rows, columns).

    Raises
    ------
    PuzzleError
        If the grid has another shape than the puzzle, or undecided cells.
    """
    return not mismatches(checked_puzzle(puzzle), grid)


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[0]}x{shape[1]}"


_TEXTS = ("title", "author", "licence", "source")
_PLAIN: dict[str, Any] = {"palette": BLACK_AND_WHITE, "goal": None, **dict.fromkeys(_TEXTS, "")}
"""The fields of a puzzle beside its clues, unless told otherwise."""
_DERIVED = ("rows", "columns", "flat_rows", "flat_columns", "shape", "canonical_hash")
"""The attributes that a pickle stores as flat arrays, or that can be computed again."""


def _restored(arrays: Sequence[bytes], rest: dict[str, Any]) -> Puzzle:
    """Return the puzzle that was pickled."""
    return _unchecked({**rest, "flat_rows": FlatClues(*arrays[:3]), "flat_columns": FlatClues(*arrays[3:])})


def _unchecked(fields: dict[str, Any]) -> Puzzle:
    """Return the puzzle with these fields, whose clues were checked before."""
    puzzle = object.__new__(Puzzle)
    vars(puzzle).update(fields)
    return puzzle
