"""The tables of a report, as data: values with the text that people see, for every format alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from nonocsp.bench.report import figures
from nonocsp.bench.report.digest import Comparison, Digest, Part
from nonocsp.bench.scoring import Change, Pair, Score
from nonocsp.bench.scoring.portfolio import VIRTUAL_BEST

Best = Literal["least", "most", ""]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    heading, meaning
        What stands above it, and what that means.
    value
        From what a line is about to the column's value.
    text
        From the value to what people see.
    is_text
        It holds words, not figures.
    best
        Which value is the best, if any.
    is_optional
        It is left out where all its values are zero or missing.
    """

    heading: str
    meaning: str
    value: Callable[[Any], Any]
    text: Callable[[Any], str] = str
    is_text: bool = False
    best: Best = ""
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: its values, and in a word what it is, such as ``ideal`` or ``regression``."""

    values: tuple[Any, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: a name for files, a title for people, columns and lines."""

    name: str
    title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...] = field(default=())

    @classmethod
    def of(
        cls, name: str, title: str, columns: Sequence[Column], subjects: Iterable[tuple[Any, str]]
    ) -> Table:
        """Make a table with one line for each subject (and its kind), without columns that tell nothing."""
        subjects = list(subjects)
        told = [
            column
            for column in columns
            if not column.is_optional or any(column.value(subject) for subject, _ in subjects)
        ]
        lines = (Line(tuple(column.value(subject) for column in told), kind) for subject, kind in subjects)
        return cls(name, title, tuple(told), tuple(lines))

    def best_values(self) -> list[Any]:
        """Return for each column its best value; None for a column without, and where all are the same.

        What is no contestant, such as the virtual best, does not count.
        """
        return [self._best(i, column.best) for i, column in enumerate(self.columns)]

    def _best(self, i: int, best: Best) -> Any:
        values = [line.values[i] for line in self.lines if not line.kind and line.values[i] is not None]
        if not best or len(set(values)) < 2:
            return None
        return min(values) if best == "least" else max(values)


def _of(name: str, *, but_for_ideal: bool = False) -> Callable[[Any], Any]:
    """Return what reads a field, which the virtual best may not have."""

    def read(subject: Any) -> Any:
        if but_for_ideal and subject.backend == VIRTUAL_BEST:
            return None
        return getattr(subject, name)

    return read


def _duration(heading: str, meaning: str, name: str, best: Best = "least") -> Column:
    return Column(heading, meaning, _of(name), figures.seconds, best=best)


def _count(heading: str, meaning: str, name: str, best: Best = "", *, optional: bool = True) -> Column:
    return Column(heading, meaning, _of(name), figures.count, best=best, is_optional=optional)


BACKEND = Column("backend", "the backend and its options", _of("backend"), is_text=True)

SCORES = (
    BACKEND,
    _count("decided", "runs that ended by themselves with an answer that settles the task", "decided", "most",
           optional=False),
    _count("unique", "exactly one solution, proved", "unique"),
    _count("multiple", "at least two solutions, found", "multiple"),
    _count("unsat", "no solution, proved", "unsat"),
    _count("solved", "a solution; nothing is known about others", "solved"),
    _count("partial", "stuck at a fixpoint", "partial"),
    _count("time out", "cut off by the wall or CPU limit", "timeouts"),
    _count("failed", "crashed, out of memory, killed or unsupported", "failed"),
    _count("missing", "instances that other backends have run and this one has not", "missing"),
    _duration("PAR-2", "mean wall time, an undecided run counting twice its limit", "par2_s"),
    Column("Borda", "points by the rule of the MiniZinc challenge", _of("borda", but_for_ideal=True),
           figures.points, best="most"),
)  # fmt: skip

TIMES = (
    BACKEND,
    _duration(
        "p25", "wall time that a quarter of the runs stay below; an undecided run counts its limit", "p25_s"
    ),
    _duration("median", "half of them", "median_s"),
    _duration("p75", "three quarters of them", "p75_s"),
    _duration("p95", "95 % of them", "p95_s"),
    _duration("max", "all of them", "max_s", ""),
    _duration(
        "geometric",
        "shifted geometric mean of wall times; an undecided run counts its limit",
        "shifted_mean_s",
    ),
    _duration("total", "wall time of all runs together, as measured", "total_s", ""),
    _duration("PAR-10", "mean wall time, an undecided run counting ten times its limit", "par10_s"),
)

PORTFOLIO = (
    BACKEND,
    _count("fastest", "instances that it decided faster than any other", "fastest", "most", optional=False),
    _count("alone", "instances that only it decided", "alone", "most", optional=False),
    _duration("contribution", "by how much PAR-2 of the virtual best grows without it", "contribution_s",
              "most"),
)  # fmt: skip

_EVIDENCE = (
    Column("ratio", "of shifted geometric means of wall times", _of("ratio"), figures.ratio),
    Column("from", "lower end of its 95 % bootstrap interval", lambda it: (it.interval or (None,))[0],
           figures.ratio),
    Column("to", "upper end", lambda it: (it.interval or (None,))[-1], figures.ratio),
    Column("p", "Wilcoxon signed-rank test, corrected by Holm's method", _of("corrected_p_value"),
           figures.p_value),
)  # fmt: skip

PAIRS = (
    Column("first", "a backend", _of("first"), is_text=True),
    Column("second", "another one", _of("second"), is_text=True),
    _count("wins", "instances on which the first was better", "wins", optional=False),
    _count("losses", "instances on which the second was", "losses", optional=False),
    _count("ties", "instances on which neither was", "ties"),
    *_EVIDENCE,
)

CHANGES = (
    BACKEND,
    _count("runs", "instances in both campaigns", "instances", optional=False),
    _duration("before", "shifted geometric mean in the first campaign", "before_s", ""),
    _duration("after", "shifted geometric mean in the second one", "after_s", ""),
    *_EVIDENCE,
    Column("new", "instances that only the second one decides", lambda change: len(change.newly_decided)),
    Column("lost", "instances that only the first one decides", lambda change: len(change.lost)),
    Column("verdict", "by significance and size of the ratio", lambda change: str(change.verdict),
           is_text=True),
)  # fmt: skip

DISAGREEMENTS = (
    Column("puzzle", "", lambda it: it.claim["puzzle"], is_text=True),
    Column("excluded by", "what cannot be true", lambda it: it.claim["backend"], is_text=True),
    Column("answer", "what it said", lambda it: it.claim["answer"], is_text=True),
    Column("solution of", "who has the solution", lambda it: it.evidence["backend"], is_text=True),
)

WRONG = (
    Column("puzzle", "", lambda row: row["puzzle"], is_text=True),
    Column("backend", "", lambda row: row["backend"], is_text=True),
    Column("message", "", lambda row: row.get("message", ""), is_text=True),
)


def tables(digest: Digest) -> list[Table]:
    """Return all tables, what is wrong first; those of several campaigns have its label in title and name."""
    return [
        *problem_tables(digest),
        *(change_table(comparison) for comparison in digest.comparisons),
        *(table for part in digest.parts for table in part_tables(part, len(digest.parts) > 1)),
    ]


def problem_tables(digest: Digest) -> list[Table]:
    """Return the tables of wrong answers and disagreements, those that have a line."""
    found = [
        Table.of("wrong", "Wrong answers", WRONG, ((row, "bad") for row in digest.wrong)),
        Table.of(
            "disagreements", "Disagreements", DISAGREEMENTS, ((it, "bad") for it in digest.disagreements)
        ),
    ]
    return [table for table in found if table.lines]


def part_tables(part: Part, is_labelled: bool) -> list[Table]:
    """Return the tables of one campaign."""
    title, name = (f", {part.label}", f"-{part.label}") if is_labelled else ("", "")
    return [
        score_table(part.scores, part.ideal, f"scores{name}", f"Scores{title}"),
        Table.of(f"times{name}", f"Wall times{title}", TIMES, _with_ideal(part.scores, part.ideal)),
        Table.of(f"portfolio{name}", f"What each adds to the virtual best{title}", PORTFOLIO,
                 ((score, "") for score in part.scores)),
        *([pair_table(part.pairs, f"pairs{name}", f"Pairs{title}")] if part.pairs else []),
    ]  # fmt: skip


def score_table(scores: Sequence[Score], ideal: Score, name: str, title: str) -> Table:
    """Return what each backend decided, and the virtual best."""
    return Table.of(name, title, SCORES, _with_ideal(scores, ideal))


def pair_table(pairs: Sequence[Pair], name: str, title: str) -> Table:
    """Return every pair of backends with the evidence for a difference."""
    return Table.of(name, title, PAIRS, ((pair, "") for pair in pairs))


def change_table(comparison: Comparison) -> Table:
    """Return what changed between two campaigns."""
    title = f"From {comparison.before} to {comparison.after}"
    subjects = [(change, _kind(change)) for change in comparison.changes]
    return Table.of(f"changes-{comparison.after}", title, CHANGES, subjects)


def _kind(change: Change) -> str:
    return "" if change.verdict == "same" else str(change.verdict)


def _with_ideal(scores: Sequence[Score], ideal: Score) -> list[tuple[Score, str]]:
    """Return the scores, and that of the virtual best where there is a choice."""
    return [*((score, "") for score in scores), *([(ideal, "ideal")] if len(scores) > 1 else [])]
