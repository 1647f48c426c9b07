"""Build the tables of a report as data: values, and the text that people see in every format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter as _of
from typing import Any, Literal

from nonocsp.backends.registry import without_options
from nonocsp.bench.report import figures
from nonocsp.bench.report.digest import Comparison, Digest
from nonocsp.bench.report.figures import file_names, shortened
from nonocsp.bench.report.measurement import configured, differing
from nonocsp.bench.scoring import Pair, Score, class_scores, set_scores
from nonocsp.bench.scoring.scores import VIRTUAL_BEST
from nonocsp.model import UsageError

Best = Literal["least", "most", ""]
BY_CPU = " by CPU time"
MAX_SET_LINES = 400
"""With more lines than this there are too many sets for a table."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, with its heading and what that means."""

    heading: str
    meaning: str
    value: Callable[[Any], Any]  # for the subject of a line
    text: Callable[[Any], str] = str  # what people see
    is_text: bool = False
    best: Best = ""  # which value is printed in bold
    is_optional: bool = False  # left out if all its values are zero or missing


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: its values, and its kind, such as ``ideal`` or ``regression``."""

    values: tuple[Any, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table."""

    name: str  # for the command line
    title: str  # for people
    columns: tuple[Column, ...]
    lines: tuple[Line, ...] = ()
    file: str = ""  # name of its files, without suffix, that no other table of the report has

    @classmethod
    def of(
        cls, name: str, title: str, columns: Sequence[Column], subjects: Iterable[tuple[Any, str]]
    ) -> Table:
        """Make a table with a line for each subject, without optional columns that are empty."""
        subjects = list(subjects)
        shown = [
            column
            for column in columns
            if not column.is_optional or any(column.value(subject) for subject, _ in subjects)
        ]
        lines = (Line(tuple(column.value(subject) for column in shown), kind) for subject, kind in subjects)
        return cls(name, title, tuple(shown), tuple(lines))

    @property
    def caption(self) -> str:
        """The title, what the columns mean, and how the best figures are shown, as sentences."""
        meanings = {
            column.meaning: column.heading
            for column in self.columns[1:]
            if column.meaning and column is not BACKEND
        }
        told = "; ".join(f"{heading}: {meaning}" for meaning, heading in meanings.items())
        bold = " The best figure of a column is bold." if set(self.best_values()) - {None} else ""
        return f"{self.title}. {told[:1].upper()}{told[1:]}.{bold}" if told else f"{self.title}."

    def best_values(self) -> list[Any]:
        """Return the best value of each column, special lines aside; None if it has none or only one."""
        found: list[Any] = []
        for i, column in enumerate(self.columns):
            values = [line.values[i] for line in self.lines if not line.kind and line.values[i] is not None]
            has_best = column.best and len(set(values)) > 1
            found.append((min if column.best == "least" else max)(values) if has_best else None)
        return found


def _duration(heading: str, meaning: str, name: str, best: Best = "least") -> Column:
    return Column(heading, meaning, _of(name), figures.seconds, best=best)


def _count(heading: str, meaning: str, name: str, best: Best = "", *, optional: bool = True) -> Column:
    return Column(heading, meaning, _of(name), figures.count, best=best, is_optional=optional)


def _words(heading: str, meaning: str, value: Callable[[Any], Any]) -> Column:
    return Column(heading, meaning, value, figures.shortened, is_text=True)


BACKEND = _words("backend", "the backend and its options", _of("backend"))

SCORES = (
    BACKEND,
    _count("decided", "runs that ended by themselves and answered the task", "decided", "most",
           optional=False),
    _count("unique", "runs that proved exactly one solution", "unique"),
    _count("multiple", "runs that found at least two solutions", "multiple"),
    _count("unsat", "runs that proved that there is no solution", "unsat"),
    _count("solved", "runs that found a solution and did not look for others", "solved"),
    _count("partial", "runs that stopped at a fixpoint", "partial"),
    _count("proved", "verdicts with two solutions, or with a proof that was verified", "proved"),
    _count("checked grid", "verdicts with a verified solution, and no proof that it is the only one",
           "checked_grid"),
    _count("claimed", "runs that claim, without a proof, that there is no solution", "claimed"),
    _count("time out", "runs that reached the wall or CPU limit", "timeouts"),
    _count("failed", "runs that crashed, ran out of memory, were killed or unsupported", "failed"),
    _count("missing", "instances that only other backends have run", "missing"),
    _duration("PAR-2", "mean time, where an undecided run counts twice its limit", "par2_s"),
    Column("Borda", "points by the rules of the MiniZinc challenge",
           lambda score: None if score.backend == VIRTUAL_BEST else score.borda, figures.points, best="most"),
)  # fmt: skip

TIMES = (
    BACKEND,
    _duration(
        "p25", "a quarter of the runs took at most this time; an undecided run counts its limit", "p25_s"
    ),
    _duration("median", "half of the runs took at most this time", "median_s"),
    _duration("p75", "three quarters of the runs took at most this time", "p75_s"),
    _duration("p95", "95 % of the runs took at most this time", "p95_s"),
    _duration("max", "the longest run", "max_s", ""),
    _duration(
        "geometric", "shifted geometric mean of times; an undecided run counts its limit", "shifted_mean_s"
    ),
    _duration("total", "sum of the times of all runs, as measured", "total_s", ""),
    _duration("PAR-10", "mean time, where an undecided run counts ten times its limit", "par10_s"),
)

SETS = (
    _words("set", "file, rule or folder of puzzles", _of("set")),
    BACKEND,
    Column("rank", "by solved puzzles, then by total time", _of("rank"), figures.count),
    Column("solved", "puzzles solved in the tournament's time, 7.2 s a puzzle, in their order", _of("solved"),
           "{:.4g}".format),
    _duration("total", "time until the last puzzle, at most the tournament's time", "total_s", ""),
    _count("decided", "runs that ended by themselves and answered the task", "decided", optional=False),
    _duration("PAR-2", "mean time, where an undecided run counts twice its limit", "par2_s", ""),
)  # fmt: skip

CLASSES = (
    _words("puzzles", "what the puzzles of the class have in common", _of("puzzles")),
    BACKEND,
    _count("runs", "its runs on the class", "runs"),
    _count("decided", "runs that ended by themselves and answered the task", "decided", optional=False),
    _duration("median", "half of the runs took at most this time; an undecided run counts its limit",
              "median_s", ""),
    _duration("PAR-2", "mean time, where an undecided run counts twice its limit", "par2_s", ""),
)  # fmt: skip

FOLDER = _words("folder", "the folder of results", _of("folder"))
OF = _words("of", "the backend without options", lambda it: without_options(it.spec))

PORTFOLIO = (
    BACKEND,
    _count("fastest", "instances that it decided faster than all others", "fastest", "most", optional=False),
    _count("alone", "instances that no other backend decided", "alone", "most", optional=False),
    _duration("contribution", "increase of the virtual best's PAR-2 without it", "contribution_s",
              "most"),
)  # fmt: skip

_INTERVAL = (
    Column("from", "lower end of the 95 % interval of that ratio", lambda it: (it.interval or (None,))[0],
           figures.ratio),
    Column("to", "upper end of that interval", lambda it: (it.interval or (None,))[-1], figures.ratio),
)  # fmt: skip

_EVIDENCE = (
    Column("ratio", "ratio of the shifted geometric means of times", _of("ratio"), figures.ratio),
    *_INTERVAL,
    Column("p", "Wilcoxon signed-rank test, corrected by Holm's method", _of("corrected_p_value"),
           figures.p_value),
)  # fmt: skip

PAIRS = (
    _words("first", "first backend", _of("first")),
    _words("second", "second backend", _of("second")),
    _count("wins", "instances on which the first backend was better", "wins", optional=False),
    _count("losses", "instances on which the second backend was better", "losses", optional=False),
    _count("ties", "instances on which neither was better", "ties"),
    *_EVIDENCE,
)

CHANGES = (
    BACKEND,
    _duration("before", "shifted geometric mean in the baseline", "before_s", ""),
    _duration("after", "shifted geometric mean in the other folder", "after_s", ""),
    Column("ratio", "geometric mean of the ratios of times, after to before", _of("ratio"), figures.ratio),
    Column("own ratio", "the same without what the other backends share", _of("own_ratio"), figures.ratio,
           is_optional=True),
    *_INTERVAL,
    Column("p", "least of its permutation tests over sessions, corrected for all that are made",
           _of("p_value"), figures.p_value),
    Column("new", "instances decided only in the other folder", lambda change: len(change.newly_decided)),
    Column("lost", "instances decided only in the baseline", lambda change: len(change.lost)),
    Column("verdict", "from differences between sessions", lambda change: str(change.verdict), is_text=True),
)  # fmt: skip

DISAGREEMENTS = (
    _words("puzzle", "", lambda it: it.claim["puzzle"]),
    _words("excluded by", "backend whose answer is wrong", lambda it: it.claim["backend"]),
    _words("answer", "its answer", lambda it: it.claim["answer"]),
    _words("solution of", "backend that found the solution", lambda it: it.evidence["backend"]),
)

WRONG = (
    _words("puzzle", "", lambda row: row["puzzle"]),
    _words("backend", "", lambda row: row["backend"]),
    _words("message", "", lambda row: row.get("message", "")),
)


def tables(digest: Digest) -> list[Table]:
    """Return all tables, problems first."""
    found = [
        *problem_tables(digest),
        *map(change_table, digest.comparisons),
        *score_tables(digest),
        *([pair_table(digest.pairs)] if digest.pairs else []),
    ]
    files = file_names(table.name for table in found)
    return [replace(table, file=file) for table, file in zip(found, files, strict=True)]


def chosen_tables(digest: Digest, names: Sequence[str] = ()) -> list[Table]:
    """Return the tables of some names, in their usual order; all if no name is given."""
    found = tables(digest)
    for name in names:
        if name not in (known := [table.name for table in found]):
            raise UsageError(f"no table {shortened(name)!r}; there are {shortened(', '.join(known), 1000)}")
    return [table for table in found if not names or table.name in names]


def problem_tables(digest: Digest) -> list[Table]:
    """Return the tables of wrong answers and disagreements, if they are not empty."""
    found = [
        Table.of("wrong", "Wrong answers", WRONG, ((row, "bad") for row in digest.wrong)),
        Table.of(
            "disagreements", "Disagreements", DISAGREEMENTS, ((it, "bad") for it in digest.disagreements)
        ),
    ]
    return [table for table in found if table.lines]


def score_tables(digest: Digest) -> list[Table]:
    """Return the tables of the entrants but for the pairs; of several folders they are told apart."""
    by = BY_CPU if digest.runs.by == "cpu" else ""
    sets, of_classes, entrants = set_scores(digest.runs), class_scores(digest.runs), configured(digest)
    options, is_merged = differing(entrants), len(digest.parts) > 1
    lines = _with_ideal(digest.scores, digest.ideal)
    return [
        score_table(digest.scores, digest.ideal, f"Scores{by}"),
        Table.of("times", "CPU times" if by else "Wall times", TIMES, lines),
        Table.of("portfolio", f"Contribution to the virtual best{by}", PORTFOLIO,
                 ((score, "") for score in digest.scores)),
        *([Table.of("classes", f"Each class of puzzles{by}", CLASSES, ((score, "") for score in of_classes))]
          if of_classes else []),
        *([Table.of("sets", f"Each set by the rule of the tournaments{by}", SETS,
                    ((score, "") for score in sets))] if len(sets) <= MAX_SET_LINES else []),
        *([Table.of("options", _options_title(options, is_merged=is_merged),
                    (BACKEND, *([FOLDER] if is_merged else []), OF, *map(_option, options)),
                    ((entrant, "") for entrant in entrants))]
          if options or is_merged or any(entrant.spec != entrant.backend for entrant in entrants) else []),
    ]  # fmt: skip


def _options_title(options: Sequence[str], *, is_merged: bool) -> str:
    if is_merged:
        return "Folders and options"
    return f"Options that differ: {', '.join(options)}" if options else "What the names stand for"


def _option(key: str) -> Column:
    return _words(key, "an option; defaults included", lambda entrant: entrant.options.get(key, figures.NONE))


def score_table(scores: Sequence[Score], ideal: Score, title: str) -> Table:
    """Return the table of what each backend and the virtual best decided."""
    return Table.of("scores", title, SCORES, _with_ideal(scores, ideal))


def pair_table(pairs: Sequence[Pair]) -> Table:
    """Return the table of pairs of backends, with the evidence for a difference."""
    return Table.of("pairs", "Pairs", PAIRS, ((pair, "") for pair in pairs))


def change_table(comparison: Comparison) -> Table:
    """Return the table of what changed between two campaigns."""
    title = f"From {comparison.before} to {comparison.after}"
    kinds = {"same": "", "undecided": ""}
    subjects = [(change, kinds.get(change.verdict, str(change.verdict))) for change in comparison.changes]
    return Table.of(f"changes-{comparison.after}", title, CHANGES, subjects)


def _with_ideal(scores: Sequence[Score], ideal: Score) -> list[tuple[Score, str]]:
    """Return the scores, with that of the virtual best if there are several backends."""
    return [*((score, "") for score in scores), *([(ideal, "ideal")] if len(scores) > 1 else [])]
