"""The outcomes of many puzzles: an iterator that can also become a table of pandas, polars or Arrow."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from nonocsp.backends.base import Outcome, Task
from nonocsp.extras import require
from nonocsp.model import Puzzle, UsageError

if TYPE_CHECKING:
    import pandas
    import polars

_COLUMNS = (
    *("title", "rows", "columns", "colours", "answer", "termination"),
    *("wall_s", "cpu_s", "solutions", "grid", "message"),
)
_LARGEST = 2**63 - 1  # number of a column


class Supply(Iterator[Puzzle]):
    """The puzzles to solve, checked; kept until their outcomes come if a table is made."""

    def __init__(self, puzzles: Iterable[Puzzle]) -> None:
        if isinstance(puzzles, Puzzle):
            raise TypeError("a Puzzle is not iterable; nonocsp.solve takes one puzzle")
        self._puzzles = enumerate(puzzles, start=1)
        self.is_started = False
        self.kept: deque[Puzzle] | None = None

    def __next__(self) -> Puzzle:
        self.is_started = True
        number, puzzle = next(self._puzzles)
        if not isinstance(puzzle, Puzzle):
            hint = "; nonocsp.load_all reads files" if isinstance(puzzle, str) else ""
            raise TypeError(f"item {number} is of type {type(puzzle).__name__}, not a Puzzle{hint}")
        if self.kept is not None:
            self.kept.append(puzzle)
        return puzzle


class Outcomes(Iterator[Outcome]):
    """The outcomes of `nonocsp.solve_many`, in order, each once; or a table with a line for each (`columns`).

    ``.to_pandas()``, ``.to_polars()`` and ``polars.DataFrame(outcomes)`` solve all puzzles for the table.
    """

    def __init__(self, stream: Generator[Outcome, None, None], supply: Supply, task: Task) -> None:
        self._stream, self._supply, self._task = stream, supply, task

    def __next__(self) -> Outcome:
        return next(self._stream)

    def close(self) -> None:
        """End all work on the puzzles; there are no more outcomes."""
        self._stream.close()

    def columns(self) -> dict[str, list[Any]]:
        """Solve all puzzles and return a list of values for each column of their table.

        The columns are ``title``, ``rows``, ``columns``, ``colours`` (beside the background), ``answer``,
        ``termination``, ``wall_s``, ``cpu_s``, ``solutions`` (how many are listed), ``grid`` (the first
        solution, else the partial grid: a text for each row, or None), ``message``, ``stats.NAME``, and with
        task ``count`` also ``count`` (None beyond 63 bits) and ``count_at_least``. UsageError if some
        outcomes were already taken.
        """
        if self._supply.is_started:
            raise UsageError("some outcomes were already taken; make the table of a new solve_many(...)")
        puzzles = self._supply.kept = deque()
        lines = [self._line(puzzles.popleft(), outcome) for outcome in self._stream]
        names = dict.fromkeys([*_COLUMNS, *(name for line in lines for name in line)])
        return {name: [line.get(name) for line in lines] for name in names}

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a ``pandas.DataFrame``."""
        return cast("pandas.DataFrame", _module("pandas").DataFrame(self.columns()))

    def to_polars(self) -> polars.DataFrame:
        """Return the table as a ``polars.DataFrame``."""
        make = _module("polars").DataFrame
        return cast("polars.DataFrame", make(self.columns(), strict=False, infer_schema_length=None))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table for every library that takes Arrow data; needs the extra ``parquet``."""
        require("parquet")
        return _module("pyarrow").table(self.columns()).__arrow_c_stream__(requested_schema)

    def _line(self, puzzle: Puzzle, outcome: Outcome) -> dict[str, Any]:
        grid = outcome.solutions[0] if outcome.solutions else outcome.partial
        values = (
            *(puzzle.title, *puzzle.shape, len(puzzle.palette) - 1),
            *(str(outcome.answer), str(outcome.termination), outcome.wall_s, outcome.cpu_s),
            *(len(outcome.solutions), grid.strings(puzzle.palette) if grid else None, outcome.message),
        )
        line = dict[str, Any](zip(_COLUMNS, values, strict=True))
        if self._task is Task.COUNT:
            line["count"] = outcome.count if (outcome.count or 0) <= _LARGEST else None
            line["count_at_least"] = min(outcome.count_at_least, _LARGEST)
        return line | {f"stats.{name}": value for name, value in outcome.stats.items()}


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{name} is not installed: pip install {name}") from None
