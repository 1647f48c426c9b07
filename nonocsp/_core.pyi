from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

_Cells = NDArray[np.uint64]
_Clues = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
"""Offsets, lengths and colours, as `nonocsp.model.FlatClues`."""

class StopFlag:
    """A flag that one thread sets and the core polls."""

    def __init__(self) -> None: ...
    def set(self) -> None: ...
    def is_set(self) -> bool: ...

class Schedule(Enum):
    """Which lines `PuzzleClues.propagate` settles: all to the fixpoint, or one axis once."""

    QUEUE = 0
    SWEEPS = 1
    ROWS = 2
    COLUMNS = 3

class PuzzleClues:
    """The compiled clues of a puzzle; `colours` counts the background."""

    def __init__(self, rows: _Clues, columns: _Clues, colours: int) -> None: ...
    def propagate(
        self, cells: _Cells | None, schedule: Schedule, stop: StopFlag | None, seconds: float | None
    ) -> tuple[_Cells, tuple[int, int] | None, int, int, bool]:
        """Return candidates, contradiction (axis, position), settles, sweeps, interrupted."""

class Interrupted(Exception):
    """A search was told to stop."""

class Unsupported(Exception):
    """A puzzle is beyond a method; the message says which limit."""

class Search:
    """A stream of the solutions of a puzzle; made by the functions ``search_by_…``."""

    def next(self, stop: StopFlag | None, seconds: float | None) -> _Cells | None:
        """Return the next solution, or None after the last; raise `Interrupted` or `Unsupported`."""
    def statistics(self) -> list[tuple[str, int | float | str]]:
        """Return what was counted so far."""

def search_by_blocks(clues: PuzzleClues, rows_first: bool) -> Search:
    """Search by enumeration of block positions."""

class VariableOrder(Enum):
    """Which line `search_by_gac` branches on."""

    DOMAIN = 0
    DOM_WDEG = 1
    FIRST = 2

class ValueOrder(Enum):
    """Which placement of a line `search_by_gac` tries first."""

    FIRST = 0
    SUPPORT = 1
    RANDOM = 2

def search_by_gac(
    clues: PuzzleClues,
    variable_order: VariableOrder,
    value_order: ValueOrder,
    settle: bool,
    max_placements: int,
    seed: int,
) -> Search:
    """Search over lines, maintaining generalised arc consistency."""

class Guidance(Enum):
    """What leads `search_by_hybrid` to a first solution."""

    NONE = 0
    BELIEFS = 1
    DIVES = 2

def search_by_hybrid(
    clues: PuzzleClues, backtracking: bool, budget: int, guidance: Guidance, memory: int, seed: int
) -> Search:
    """Search by backtracking, by probing, and by learning once `budget` is spent; `memory` in bytes."""

def settle_lines(clues: _Clues, cells: _Cells, colours: int) -> tuple[_Cells, NDArray[np.bool_]]:
    """Settle lines of shape (count, length) with one clue, or with one clue each."""

def feasible_lines(clues: _Clues, cells: _Cells, colours: int) -> NDArray[np.bool_]:
    """Return whether a placement fits, for each line."""

def starts(clue: _Clues, cells: _Cells, colours: int) -> list[NDArray[np.int32]] | None:
    """Return the possible starts of every block of one line."""

class Placements:
    """The placements of one line that fit, each as the starts of its blocks; an iterator."""

    def __init__(self, clue: _Clues, cells: _Cells, colours: int) -> None: ...
    @property
    def count(self) -> int:
        """How many there are in all; 2**64 - 1 stands for as many or more."""
    def __iter__(self) -> Placements: ...
    def __next__(self) -> NDArray[np.int32]: ...

def time_settle(clues: _Clues, cells: _Cells, colours: int, repeats: int) -> float:
    """Return the seconds that settling every line `repeats` times takes, apart from packing and unpacking."""

class ClauseStream:
    """An iterator over literals that pauses after each clause: every ``for`` over it takes one clause."""

    def __init__(self, literals: NDArray[np.int32], variables: int) -> None: ...
    def __iter__(self) -> ClauseStream: ...
    def __next__(self) -> int: ...

class EncodeInCore(Protocol):
    """A function that encodes what the cells leave open."""

    def __call__(
        self, clues: PuzzleClues, cells: _Cells, /
    ) -> tuple[int, int, NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
        """Return variables, clauses, literals, and the cell and the colour of each cell variable."""

encode_order: EncodeInCore
encode_direct: EncodeInCore
encode_automaton: EncodeInCore

def forced_literals(variables: int, clauses: NDArray[np.int32]) -> NDArray[np.int32] | None:
    """Return the literals true in every assignment of clauses of shape (count, 2); None without one."""

def search_by_two_sat(clues: PuzzleClues, looks_ahead: bool, complete: bool) -> Search:
    """Return the search by Solver0, or Solver1 to look ahead; unless complete it only narrows the root."""

class PixelChoice(Enum):
    """Which open pixel `search_by_segments` gives a colour."""

    FEWEST = 0
    FIRST = 1

def search_by_segments(clues: PuzzleClues, pixel: PixelChoice) -> Search:
    """Return a search by messages between pixels and segments."""

def eliminate_lines(clue: _Clues, cells: _Cells, colours: int) -> _Cells:
    """Return what messages leave of lines of shape (count, length) of one clue; zeros if nothing fits."""

class ProbingLevel(Enum):
    """What probes know of each other: nothing, contrapositives, or all that follows from them."""

    FP1 = 0
    FP2 = 1
    FP3 = 2

class ProbingScore(Enum):
    """How the gains of a cell's probes are weighed."""

    SUM = 0
    MIN = 1
    MAX = 2
    PRODUCT = 3
    SQRT = 4
    MIN_LOGM = 5
    MIN_LOGD = 6

class ProbingOrder(Enum):
    """Which value of a cell is searched first."""

    LARGER = 0
    SMALLER = 1
    BACKGROUND = 2
    RANDOM = 3

class BudgetSpent(Exception):
    """As many probes have been made as were allowed."""

class ProbingSearch(Search):
    """Made by `search_by_probing`; its `next` raises `BudgetSpent` too."""

    @property
    def root(self) -> _Cells | None:
        """What is left of the root after its probes, without the solutions that they completed."""

def probe_fixpoint(
    clues: PuzzleClues,
    cells: _Cells | None,
    level: ProbingLevel,
    with_groups: bool,
    stop: StopFlag | None,
    seconds: float | None,
) -> tuple[_Cells, NDArray[np.int32] | None, bool, int, int, bool]:
    """Return candidates, groups, contradiction, probes, settles, interrupted."""

def search_by_probing(
    clues: PuzzleClues,
    level: ProbingLevel,
    groups: bool,
    min_group: int,
    score: ProbingScore,
    order: ProbingOrder,
    seed: int,
    budget: int | None = None,
) -> ProbingSearch:
    """Return the search with fully probing at every node, at most `budget` probes after the root."""

def line_marginals(
    clue: _Clues, cells: _Cells, weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return the shares of a line's cells by colour, and of its blocks by start; None if nothing fits."""

class Beliefs:
    """Belief propagation on one puzzle."""

    def __init__(self, clues: PuzzleClues) -> None: ...
    def run(
        self, cells: _Cells, sweeps: int, tolerance: float, stop: StopFlag | None, seconds: float | None
    ) -> int:
        """Sweep until no belief moves by the tolerance; return how often. Raise `Interrupted`."""
    def reset(self) -> None:
        """Forget all messages."""
    def shares(self) -> NDArray[np.float64]:
        """Return the beliefs, shape (rows, columns, colours)."""
    def starts(self, of_column: bool, position: int) -> NDArray[np.float64] | None:
        """Return P(block starts at a cell or before it), shape (blocks, length), as of the last run."""
    @property
    def lines(self) -> int:
        """Lines that marginals were found of."""

def time_beliefs(clues: PuzzleClues, cells: _Cells, sweeps: int) -> float:
    """Return the CPU seconds of that many sweeps from uninformed messages."""

_Shard = tuple[int, int, int]
"""First row, last row, and how many shards are reflections of it."""

class SweepCensus:
    """Grades all black and white images of a size; `ValueError` for a size that is out of reach."""

    def __init__(self, rows: int, columns: int) -> None: ...
    def shards(self) -> list[_Shard]:
        """Return the shards to count, the outer rows given by their contents."""
    def count(self, shard: _Shard, stop: StopFlag | None, seconds: float | None) -> NDArray[np.uint64]:
        """Return how many images of a shard have each difficulty; at 0, how many are not simple."""

class SolutionCensus:
    """Counts the solutions of all descriptions of a size; `ValueError` for a size that is out of reach."""

    def __init__(self, rows: int, columns: int) -> None: ...
    def shards(self) -> list[_Shard]:
        """Return the shards to count, the outer rows given by the numbers of their clues."""
    def count(self, shard: _Shard, stop: StopFlag | None, seconds: float | None) -> tuple[int, int, int, int]:
        """Return images, descriptions, those with one solution, and the most solutions of one."""

class ImageTrials:
    """What line solving leaves open of the puzzles of images that differ in one cell from an image."""

    def __init__(
        self, image: NDArray[np.uint8], colours: int, stop: StopFlag | None, seconds: float | None
    ) -> None:
        """Take colours, shape (rows, columns); raise `Interrupted`, or `ValueError` for other colours."""
    def known(self) -> _Cells:
        """Return what line solving leaves possible of the image's own puzzle."""
    def open_after(
        self, changes: NDArray[np.int32], least: bool, stop: StopFlag | None, seconds: float | None
    ) -> NDArray[np.int32]:
        """Return how many cells are open after each change (row, column, colour), or at least how many."""
