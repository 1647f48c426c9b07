"""Choose puzzles of each verdict: ``python datasets/tcga/draw.py`` writes unique.txt, unsatisfiable.txt.

Nearly all puzzles of the tournaments' rule have several solutions. `unique.txt` has those of tcga-2026 with
exactly one. `unsatisfiable.txt` has puzzles of the set with one clue changed as by a slip of the pen: a cell
more in one block and a cell less in the next, so that all sums still agree. Line solving alone refutes none.
Two backends that share no search prove each verdict.
"""

from itertools import islice
from pathlib import Path
from random import Random

from nonocsp import Answer, Puzzle, load_all, save, solve
from nonocsp.model import Block, Clue, PuzzleError

HERE = Path(__file__).parent
BACKENDS = "hybrid", "sat:root=no"
EVERY, COUNT, TRIES = 25, 11, 40


def verdict(puzzle: Puzzle) -> Answer:
    """Return the answer of all backends, which must be the same."""
    (answer,) = {solve(puzzle, backend, wall=60.0).answer for backend in BACKENDS}
    return answer


def changed(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Return the puzzle with a cell moved between neighbouring blocks of a row; None if it does not fit."""
    row = random.randrange(len(puzzle.rows))
    lengths = [block.length for block in puzzle.rows[row]]
    if len(lengths) < 2:
        return None
    place = random.randrange(len(lengths) - 1)
    more, less = random.sample((place, place + 1), 2)
    lengths[more] += 1
    lengths[less] -= 1
    if not lengths[less]:
        return None
    rows = list(puzzle.rows)
    rows[row] = Clue([Block(length, 1) for length in lengths])
    try:
        return Puzzle(tuple(rows), puzzle.columns, title=puzzle.title)
    except PuzzleError:
        return None


def unsatisfiable(puzzle: Puzzle) -> Puzzle | None:
    """Return the first change that leaves no solution, which line solving alone does not show."""
    random = Random(puzzle.title)
    for _ in range(TRIES):
        found = changed(puzzle, random)
        if found and solve(found, "settle").answer is Answer.PARTIAL and verdict(found) is Answer.UNSAT:
            return found
    return None


def main() -> None:
    """Write both files."""
    every = list(load_all(HERE / "tcga-2026.txt.gz", format="tournament"))
    unique = [puzzle for puzzle in every if solve(puzzle).answer is Answer.UNIQUE]
    assert all(verdict(puzzle) is Answer.UNIQUE for puzzle in unique)
    save(unique, HERE / "unique.txt", format="tournament")
    without = islice(filter(None, map(unsatisfiable, every[::EVERY])), COUNT)
    save(without, HERE / "unsatisfiable.txt", format="tournament")


if __name__ == "__main__":
    main()
