"""Prove that the patterns of hard nonograms take the promised sweeps at all sizes, by a finite check.

`docs/explanation/difficulty.md` has the theorem and the argument. In short: a sweep map says in which sweep
each cell is found. It is right if every line, in every sweep of its axis, settles from the cells found before
the sweep to those found by it: a *step* of the line. A line of a pattern consists of an edge, copies and
another edge; equal copies side by side are a run. A copy is *neutral* if the line solver is in the same
states before and behind it; then inserting another such copy changes nothing else, so that the length of a
run with a neutral copy does not matter. The check takes the steps of all lines, shortens such runs, and
finds the same set of steps at the next larger sizes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from nonocsp.engine.images import ImageSweeps
from nonocsp.grading.hardest_family import PATTERNS, theorem_sweeps
from nonocsp.grading.hardest_patterns import SNAKES, ZIGZAGS, Pattern
from nonocsp.grading.sweeps import sweep_map
from nonocsp.model import Grid, Puzzle
from nonocsp.render.plot import check_plot, write_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Word = tuple[int, ...]
"""Cells of a line: 0 white, 1 black, `OPEN` not found yet."""
OPEN = 2
State = tuple[int, int]
"""The next block, and the cells left of the present one with the white cell behind it."""
Kind = tuple[int, int]
"""Axis (0 for rows) and class of a line: lines of one class are copies of each other."""
MARGIN = 3
"""Blocks that witnesses may be ahead or behind."""
ROWS_BASE, COLUMNS_BASE = (3, 18), (23, 3)
"""Strips and middles at which the steps of rows and of columns are taken."""
LARGEST = 95, 100


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an image, with its copies."""

    cells: Word
    found: Word  # the sweep that finds each cell
    start: int  # of the copies
    period: int  # their length
    copies: int  # their number

    def steps(self, axis: int) -> Iterator[tuple[Word, Word]]:
        """Yield what is known before and after each sweep of the axis; a repeated step once."""
        last = None
        for sweep in range(1 + axis, max(self.found) + 3, 2):
            before, after = self._known(sweep - 1), self._known(sweep)
            if (before, after) != last:
                yield before, after
            last = before, after

    def _known(self, sweep: int) -> Word:
        return tuple(
            cell if found <= sweep else OPEN for cell, found in zip(self.cells, self.found, strict=True)
        )

    def blocks(self) -> list[tuple[int, int]]:
        """Return the start and the length of each block."""
        blocks = []
        for black, cells in itertools.groupby(enumerate(self.cells), key=lambda cell: cell[1]):
            positions = [position for position, _ in cells]
            if black:
                blocks.append((positions[0], len(positions)))
        return blocks

    def bounds(self) -> list[int]:
        """Return where the copies begin, and where the last one ends."""
        return [self.start + copy * self.period for copy in range(self.copies + 1)]


def main(
    plot: Annotated[
        Path | None, typer.Option(help="File for a plot of sweeps per cell: SVG, PDF or PNG.")
    ] = None,
) -> None:
    """Prove all patterns and print their formulas."""
    if plot:
        check_plot(plot)
        write_plot(plot, draw, inches=(6, 3.2))
    table = Table("pattern", "rows", "columns", "sweeps", "kinds of steps", "sizes solved")
    for name, patterns in PATTERNS.items():
        for pattern in patterns:
            steps, solved = prove(pattern), solve_all(pattern)
            rows, columns = pattern.shape(*pattern.least)
            both, column, strip, rest = pattern.sweeps_of
            tall = f"{rows - len(pattern.strip)} + {len(pattern.strip)}k" if pattern.strip else str(rows)
            formula = f"{both}nk {column:+}n {strip:+}k {rest:+}" if pattern.strip else f"{column}n {rest:+}"
            table.add_row(
                name, tall, f"{columns}, {columns + pattern.period}..", formula, str(steps), str(solved)
            )
    Console().print(table)


def draw(figure: Figure) -> None:
    """Draw the sweeps per cell of the constructions against the number of columns."""
    axes = figure.subplots()
    sizes = range(20, 201, 2)
    for pattern, style in zip(SNAKES, ("o-", "v:", "s--"), strict=True):
        rows, _ = pattern.shape(0, 0)
        shares = [pattern.sweeps(*repeats(pattern, rows, n)) / (rows * n) for n in sizes]
        axes.plot(sizes, shares, style, label=f"snakes, {rows} rows", markevery=10, markersize=4)
    squares = [pattern_sweeps(ZIGZAGS[0], n) / n**2 for n in sizes]
    axes.plot(sizes, squares, "D-", label="zigzags, square", markevery=10, markersize=4)
    tens = [n for n in sizes if n % 8 == 2]
    axes.plot(
        tens,
        [theorem_sweeps(n, n) / n**2 for n in tens],
        "^-.",
        label="theorem 4.5, square",
        markevery=3,
        markersize=4,
    )
    for share, name in ((1, "upper bound"), (2 / 3, "2/3"), (1 / 2, "1/2")):
        axes.axhline(share, color="grey", linewidth=0.6)
        axes.annotate(name, (200, share), va="bottom", ha="right", fontsize=7)
    axes.set(xlabel="columns", ylabel="sweeps per cell", ylim=(0, 1.08))
    axes.legend(loc="lower right", frameon=False)


def repeats(pattern: Pattern, rows: int, columns: int) -> tuple[int, int]:
    """Return the repeats of the largest member within a size that has one."""
    found = pattern.largest(rows, columns)
    assert found is not None, (rows, columns)
    return found


def pattern_sweeps(pattern: Pattern, size: int) -> int:
    """Return the sweeps of the largest member within a square."""
    return pattern.sweeps(*repeats(pattern, size, size))


def solve_all(pattern: Pattern) -> int:
    """Solve every member up to 95x100, check its sweeps, and return their number."""
    solved = 0
    largest = repeats(pattern, *LARGEST)
    for strips, middles in itertools.product(
        *(range(least, most + 1) for least, most in zip(pattern.least, largest, strict=True))
    ):
        image = pattern.image(strips, middles)
        sweeps, unknown = ImageSweeps(*image.shape).grade(image[np.newaxis])
        assert (sweeps[0], unknown[0]) == (pattern.sweeps(strips, middles), 0), image.shape
        solved += 1
    return solved


def prove(pattern: Pattern) -> int:
    """Prove the sweeps of a pattern for all sizes and return the number of kinds of steps."""
    check_formula(pattern)
    found = 0
    for axis, base in enumerate((ROWS_BASE, COLUMNS_BASE) if pattern.strip else 2 * [(0, ROWS_BASE[1])]):
        steps = kinds_of_steps(pattern, axis, *base)
        for taller, wider in ((0, 1), (1, 0), (1, 1)) if pattern.strip else ((0, 1), (0, 2)):
            larger = kinds_of_steps(pattern, axis, base[0] + taller, base[1] + wider)
            assert larger == steps, f"the lines of axis {axis} have steps that only some sizes have"
        found += sum(map(len, steps.values()))
    return found


def kinds_of_steps(pattern: Pattern, axis: int, strips: int, middles: int) -> dict[int, set[object]]:
    """Return the shortened steps of each class of lines of a member."""
    image = pattern.image(strips, middles)
    found = sweep_map(Puzzle.from_grid(Grid.from_cells(image)))
    down = len(pattern.first), len(pattern.strip) or 1, strips
    across = pattern.edges[0], pattern.period, middles
    along, crossing = (across, down) if axis == 0 else (down, across)
    steps: dict[int, set[object]] = {}
    lines = (
        zip(image.tolist(), found.tolist(), strict=True)
        if axis == 0
        else zip(image.T.tolist(), found.T.tolist(), strict=True)
    )
    for position, (cells, sweeps) in enumerate(lines):
        line = Line(tuple(cells), tuple(sweeps), *along)
        seen = steps.setdefault(_class(position, *crossing), set())
        seen.update(shortened(line, *step) for step in line.steps(axis))
    return steps


def _class(position: int, start: int, period: int, copies: int) -> int:
    """Return the class of a line: its position in the member without copies but one."""
    inside = position - start
    if inside < 0:
        return position
    return start + inside % period if inside < copies * period else position - (copies - 1) * period


def shortened(line: Line, before: Word, after: Word) -> object:
    """Return a step in which the lengths of runs with a neutral copy are left out.

    A step that finds nothing needs only witnesses, so that some placements may be left out: those that are
    more than `MARGIN` blocks ahead or behind at some copy, where others do not suffice to shorten the step.
    """
    every = _shortened(line, before, after, None)
    if before != after or all(run[1] <= 2 * MARGIN for run in every[1:-1] if run[1] is not None):
        return every
    bounds, first = line.bounds(), _first_blocks(line)
    at = dict(zip(bounds, first, strict=True))

    def is_near(position: int, state: State) -> bool:
        return position not in at or abs(state[0] - at[position]) <= MARGIN

    return _shortened(line, before, after, is_near)


Keep = Callable[[int, State], bool]


def _shortened(
    line: Line, before: Word, after: Word, keep: Keep | None
) -> tuple[tuple[object, int | None], ...]:
    """Return the runs of a step between its edges, each with its length, or None with a neutral copy."""
    lengths = [length for _, length in line.blocks()]
    ahead, behind = states_before(lengths, before, keep), states_behind(lengths, before, keep)
    if keep is not None:
        assert settled(lengths, before, ahead, behind) == after, "witnesses are missing"
    bounds, first = line.bounds(), _first_blocks(line)
    copies = [(line.cells[a:b], before[a:b], after[a:b]) for a, b in itertools.pairwise(bounds)]

    def window(copy: int) -> tuple[object, ...]:
        """Return the states at a bound that a placement can have, and the blocks that are near."""
        at, own = bounds[copy], first[copy]
        most, least = max(b for b, _ in ahead[at]), min(b for b, _ in behind[at])
        near = range(
            least - line.period, most + first[copy + 1 if copy < line.copies else copy] - own + line.period
        )
        return (
            most - own,
            least - own,
            frozenset((b - own, left) for b, left in ahead[at] if b >= least),
            frozenset((b - own, left) for b, left in behind[at] if b <= most),
            tuple(lengths[b] if 0 <= b < len(lengths) else None for b in near),
        )

    def is_neutral(copy: int) -> bool:
        inside = 0 < copy < line.copies - 1 and copies[copy - 1] == copies[copy] == copies[copy + 1]
        return inside and window(copy) == window(copy + 1)

    runs: list[tuple[object, int | None]] = [(_edge(line, before, after, 0, line.start), 1)]
    for copy, same in itertools.groupby(range(line.copies), key=copies.__getitem__):
        run = list(same)
        runs.append((copy, None if any(map(is_neutral, run)) else len(run)))
    runs.append((_edge(line, before, after, bounds[-1], len(line.cells)), 1))
    return tuple(runs)


def _edge(line: Line, before: Word, after: Word, start: int, end: int) -> object:
    return line.cells[start:end], before[start:end], after[start:end]


def _first_blocks(line: Line) -> list[int]:
    """Return how many blocks begin before each bound."""
    starts = [start for start, _ in line.blocks()]
    return [sum(start < bound for start in starts) for bound in line.bounds()]


def states_before(lengths: list[int], word: Word, keep: Keep | None = None) -> list[set[State]]:
    """Return the states before each cell that some beginning of a placement leads to."""
    states: list[set[State]] = [{(0, 0)}]
    for position, cell in enumerate(word):
        here = {state for state in states[-1] if keep is None or keep(position, state)}
        states[-1] = here
        states.append({later for state in here for _, later in _moves(lengths, state, cell)})
    return states


def states_behind(lengths: list[int], word: Word, keep: Keep | None = None) -> list[set[State]]:
    """Return the states before each cell from which some end of a placement leads to the end of the line."""
    end = len(lengths)
    states: list[set[State]] = [{(end, 0), (end, 1)} if lengths else {(0, 0)}]
    for position in reversed(range(len(word))):
        origins = {origin for state in states[-1] for origin in _origins(lengths, state, word[position])}
        states.append({state for state in origins if keep is None or keep(position, state)})
    return states[::-1]


def _moves(lengths: list[int], state: State, cell: int) -> Iterator[tuple[int, State]]:
    """Yield the colours that a cell can have in a state, with the states behind it."""
    block, left = state
    if left <= 1 and cell != 1:
        yield 0, (block, 0)
    if left == 0 and cell != 0 and block < len(lengths):
        yield 1, (block + 1, lengths[block])
    if left > 1 and cell != 0:
        yield 1, (block, left - 1)


def _origins(lengths: list[int], state: State, cell: int) -> Iterator[State]:
    """Yield the states from which a cell leads to a state."""
    block, left = state
    if left == 0 and cell != 1:
        yield block, 0
        if block:
            yield block, 1
    if left > 0 and cell != 0:
        yield (block, left + 1) if left < lengths[block - 1] else (block - 1, 0)


def settled(lengths: list[int], word: Word, ahead: list[set[State]], behind: list[set[State]]) -> Word:
    """Return what all placements through the states agree on."""
    colours = [
        {
            colour
            for state in ahead[position]
            for colour, later in _moves(lengths, state, cell)
            if later in behind[position + 1]
        }
        for position, cell in enumerate(word)
    ]
    return tuple(OPEN if len(found) == 2 else min(found) for found in colours)


def check_formula(pattern: Pattern) -> None:
    """Check that the sweep map is affine: a linear function of the indices of copies and of the size.

    Of a cell in strip i and copy j, with k strips and h middles, the sweep is a sum of multiples of 1, i, j,
    k, h, ih and kh; the two outermost strips and copies at either end count as edges.

    Raises
    ------
    AssertionError
        If a cell does not fit.
    """
    samples: dict[Kind, list[tuple[tuple[int, ...], int]]] = {}
    tall = (6, 7, 9) if pattern.strip else (0,)
    for strips, middles in itertools.product(tall, (8, 9, 11)):
        found = sweep_map(Puzzle.from_grid(Grid.from_cells(pattern.image(strips, middles))))
        for (row, column), sweep in np.ndenumerate(found):
            down = _place(row, len(pattern.first), len(pattern.strip) or 1, strips)
            across = _place(column, pattern.edges[0], pattern.period, middles)
            i, j = down[1], across[1]
            terms = 1, i, j, strips, middles, i * middles, strips * middles
            samples.setdefault((down[0], across[0]), []).append((terms, int(sweep)))
    for kind, cells in samples.items():
        terms, sweeps = (np.array(column, np.float64) for column in zip(*cells, strict=True))
        factors = np.rint(np.linalg.lstsq(terms, sweeps)[0])
        assert np.array_equal(terms @ factors, sweeps), f"the cells {kind} do not follow a formula"


def _place(position: int, start: int, period: int, copies: int) -> tuple[int, int]:
    """Return the class of a line and its copy; the two outermost copies are edges, whose copy is 0."""
    copy, inside = divmod(position - start, period)
    if 2 <= copy < copies - 2:
        return start + 2 * period + inside, copy
    return (position if copy < 2 else position - (copies - 5) * period), 0
