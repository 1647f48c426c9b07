"""Ask several backends about the same puzzles, and check that all answers can be true.

Methods of the core run in this process. If there are other backends, all go through executor ``warm``: limits
are enforced from outside, and a crash of one disturbs no other. `nonocsp.bench.contradictions` defines
contradictions. A puzzle is reported as soon as its last backend has ended.

That there are several solutions is true even of a backend that overlooks some. So backends that say it list
solutions, too, and the lists are compared.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, partial
from itertools import tee
from pathlib import Path
from typing import Any, cast

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.registry import create, label
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.bench.contradictions import Disagreement, disagreements
from nonocsp.bench.rows import AnswerRow, Asked, CameBack
from nonocsp.bench.table import is_settling
from nonocsp.engine import StopFlag
from nonocsp.formats import NamedPuzzle, save
from nonocsp.model import NonocspError, PuzzleError, UsageError
from nonocsp.run.jobs import Job
from nonocsp.run.local import WarmExecutor
from nonocsp.run.many import obeys_limits, run_many

CERTIFICATE = "certificate"
"""Stands for the certificate among the backends."""
LISTING_S = 1.0
"""Seconds that a list of solutions may take; slower backends are not asked for one."""


class Finding(StrEnum):
    """The verdict on the answers to one puzzle, worst first."""

    DISAGREED = "disagreed"
    """Two answers cannot both be true."""
    BROKEN = "broken"
    """A backend crashed, or returned a grid that failed verification."""
    UNDECIDED = "undecided"
    """No backend finished with a verdict."""
    ALONE = "alone"
    """Only one backend finished with a verdict."""
    AGREED = "agreed"
    """Several backends finished with a verdict, and all of it can be true."""


@dataclass(frozen=True)
class Checked:
    """One puzzle and what all backends said about it."""

    source: NamedPuzzle
    request: Request
    outcomes: Mapping[str, Outcome]  # by what the backend is called, in the order asked for
    disagreements: Sequence[Disagreement]
    listed: Mapping[str, Outcome] = field(default_factory=dict)  # of those that were asked for more

    @classmethod
    def of(
        cls,
        source: NamedPuzzle,
        request: Request,
        outcomes: Mapping[str, Outcome],
        listed: Mapping[str, Outcome] | None = None,
    ) -> Checked:
        """Compare outcomes of one puzzle and request; what all say alike needs no rows to compare."""
        said = {(o.answer, o.termination, o.solutions, o.partial, o.count) for o in outcomes.values()}
        if len(said) == 1 and not listed:
            return cls(source, request, outcomes, ())
        rows = [answer_row(source, backend, request, outcome) for backend, outcome in outcomes.items()]
        listing = replace(request, task=Task.COUNT)
        rows += [answer_row(source, backend, listing, outcome) for backend, outcome in (listed or {}).items()]
        return cls(source, request, outcomes, disagreements(rows), listed or {})

    @cached_property
    def finding(self) -> Finding:
        """The verdict on the answers."""
        if self.disagreements:
            return Finding.DISAGREED
        if any(self.crashes()):
            return Finding.BROKEN
        decided = sum(is_decided(outcome, self.request.task) for outcome in self.outcomes.values())
        return (Finding.UNDECIDED, Finding.ALONE, Finding.AGREED)[min(2, decided)]

    @property
    def is_sound(self) -> bool:
        """Whether no backend broke and no two contradict each other."""
        return self.finding not in (Finding.DISAGREED, Finding.BROKEN)

    def crashes(self) -> Iterator[tuple[str, Outcome]]:
        """Yield the backends that crashed or returned a wrong grid, and what came back."""
        for backend, outcome in (*self.outcomes.items(), *self.listed.items()):
            if outcome.termination is Termination.CRASHED:
                yield backend, outcome

    def record(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        rows, columns = self.source.puzzle.shape
        listed = self._records(self.listed, with_grids=not self.is_sound)
        return {
            "puzzle": self.source.name,
            "index": self.source.index,
            "rows": rows,
            "columns": columns,
            "task": str(self.request.task),
            "finding": str(self.finding),
            "backends": self._records(self.outcomes),
            **({"listed": listed} if listed else {}),
            "disagreements": [str(disagreement) for disagreement in self.disagreements],
        }

    def _records(self, outcomes: Mapping[str, Outcome], *, with_grids: bool = True) -> dict[str, Any]:
        """Return what came back by backend, without the size of the puzzle."""
        puzzle, hidden = self.source.puzzle, ("rows", "columns", "solutions")[: 2 if with_grids else 3]
        records = {backend: outcome.record(puzzle) for backend, outcome in outcomes.items()}
        for record in records.values():
            for key in hidden:
                del record[key]
        return records


@dataclass(slots=True)
class Tally:
    """Counts what was found: how many puzzles had each finding, and how the runs of each backend ended."""

    backends: Sequence[str]
    findings: Counter[Finding] = field(default_factory=Counter)
    ended: dict[str, Counter[Answer | Termination]] = field(init=False)  # `ended_how`
    wall_s: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        self.ended = {backend: Counter() for backend in self.backends}
        self.wall_s = dict.fromkeys(self.backends, 0.0)

    def add(self, checked: Checked) -> None:
        """Count a puzzle."""
        self.findings[checked.finding] += 1
        for backend, outcome in checked.outcomes.items():
            self.ended[backend][ended_how(outcome)] += 1
            self.wall_s[backend] += outcome.wall_s

    def __str__(self) -> str:
        """Return the number of puzzles and how many had each finding, best first, on one line."""
        shown = {Finding.AGREED, Finding.DISAGREED} | {*self.findings}
        counts = (f"{self.findings[finding]} {finding}" for finding in reversed(Finding) if finding in shown)
        puzzles = self.findings.total()
        return f"{puzzles} puzzle{'s' * (puzzles != 1)}: {', '.join(counts)}"


def ended_how(outcome: Outcome) -> Answer | Termination:
    """Return the answer of a run that ended by itself, the termination of any other."""
    return outcome.answer if outcome.termination is Termination.OK else outcome.termination


def is_decided(outcome: Outcome, task: Task = Task.DECIDE) -> bool:
    """Return whether a run finished with a verdict, or with the one solution that was asked for."""
    return outcome.termination is Termination.OK and is_settling(outcome.answer, task is Task.SOLVE)


@dataclass(slots=True)
class _Found:
    """A puzzle, for how many runs it waits, and what came back."""

    source: NamedPuzzle
    waiting_for: int = 0
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    listed: dict[str, Outcome] = field(default_factory=dict)


def check_puzzles(
    sources: Iterable[NamedPuzzle],
    backends: Sequence[str],
    request: Request,
    *,
    jobs: int = 1,
    listed: int = 0,
) -> Iterator[Checked]:
    """Ask every backend about every puzzle, so many `jobs` at a time, and compare the answers.

    Backends that quickly decide that a puzzle has several solutions list up to `listed` of them, as far as
    they come within `LISTING_S`. Puzzles are read as they are needed. If reading fails, what was read before
    is still reported. UsageError refuses two programs of one name.
    """
    labels = {backend: label(backend) for backend in backends}
    if len({*labels.values()}) < len(backends):
        raise UsageError("two programs have the same name; give each a name of its own")
    failures: list[NonocspError | OSError] = []
    limits = replace(request.limits, wall=min(request.limits.wall or LISTING_S, LISTING_S))
    listing = replace(request, task=Task.COUNT, limits=limits, bound=listed) if listed else None

    def readable() -> Iterator[NamedPuzzle]:
        try:
            yield from sources
        except (NonocspError, OSError) as error:
            failures.append(error)

    in_core = all(obeys_limits(create(spec), request) for spec in backends)
    run = _outcomes_of_core if in_core else _outcomes_of_processes
    for found in run(readable(), backends, request, listing, jobs):
        outcomes, lists = (
            {labels[backend]: each[backend] for backend in backends if backend in each}
            for each in (found.outcomes, found.listed)
        )
        yield Checked.of(found.source, request, outcomes, lists)
    for failure in failures:
        raise failure


def _outcomes_of_core(
    sources: Iterator[NamedPuzzle],
    backends: Sequence[str],
    request: Request,
    listing: Request | None,
    jobs: int,
) -> Iterator[_Found]:
    """Yield what backends find that are methods of the core: in this process, a hundred times as fast."""
    to_report, *to_solve = tee(sources, len(backends) + 1)
    created, stop = {spec: create(spec) for spec in backends}, StopFlag()
    with ExitStack() as stack:
        streams = [
            stack.enter_context(
                closing(run_many((s.puzzle for s in copy), spec, request, jobs=jobs, enforced=True))
            )
            for spec, copy in zip(backends, to_solve, strict=True)
        ]
        for source, *outcomes in zip(to_report, *streams, strict=True):
            found = _Found(source, outcomes=dict(zip(backends, outcomes, strict=True)))
            if listing:
                for spec in _several(found.outcomes):
                    run = partial(run_backend, created[spec], source.puzzle, listing, stop)
                    found.listed[spec] = or_crashed(run)
            yield found


def _outcomes_of_processes(
    sources: Iterator[NamedPuzzle],
    backends: Sequence[str],
    request: Request,
    listing: Request | None,
    jobs: int,
) -> Iterator[_Found]:
    """Yield what backends find, each in a process of its own."""
    waiting: dict[str, _Found] = {}
    lists: deque[Job] = deque()

    def jobs_of_puzzles() -> Iterator[Job | None]:
        for number, source in enumerate(sources):
            waiting[str(number)] = _Found(source, len(backends))
            for backend in backends:
                while lists:
                    yield lists.popleft()
                yield Job(source.puzzle, backend, request, str(number))
        while waiting:
            yield lists.popleft() if lists else None

    with WarmExecutor(jobs) as executor:
        for job, measurement in executor.run(jobs_of_puzzles()):
            found = waiting[job.id]
            (found.listed if job.request is listing else found.outcomes)[job.backend] = measurement.outcome
            found.waiting_for -= 1
            if listing and not found.waiting_for and not found.listed:
                several = _several(found.outcomes)
                lists.extend(Job(job.puzzle, backend, listing, job.id) for backend in several)
                found.waiting_for = len(several)
            if not found.waiting_for:
                del waiting[job.id]
                yield found


def _several(outcomes: Mapping[str, Outcome]) -> list[str]:
    """Return the backends that found several solutions quickly, unless another one contradicts them."""
    if any(outcome.answer in (Answer.UNSAT, Answer.UNIQUE) for outcome in outcomes.values()):
        return []
    return [
        backend
        for backend, outcome in outcomes.items()
        if outcome.answer is Answer.MULTIPLE and outcome.wall_s <= LISTING_S
    ]


def save_finding(checked: Checked, folder: Path) -> Path:
    """Save a puzzle and, beside it in ``….claims.json``, what the backends said; return the puzzle's path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{checked.source.puzzle.canonical_hash[:12]}.json"
    save(checked.source.puzzle, path, format="json")
    claims = json.dumps(checked.record(), indent=1)
    path.with_suffix(".claims.json").write_text(f"{claims}\n", encoding="utf-8")
    return path


def answer_row(
    source: NamedPuzzle, backend: str, request: Request, outcome: Outcome, *, repeat: int = 0, spec: str = ""
) -> AnswerRow:
    """Return what was asked and what came back as a row, in which contradictions can be found."""
    puzzle = source.puzzle
    asked: Asked = {
        "puzzle": source.name,
        "index": source.index,
        "puzzle_hash": puzzle.canonical_hash,
        "backend": backend,
        "spec": spec,
        "task": str(request.task),
        "bound": request.bound,
        "seed": request.seed,
        "repeat": repeat,
        "limits": {"wall": request.limits.wall, "cpu": request.limits.cpu, "memory": request.limits.memory},
    }
    if spec in ("", backend):
        del asked["spec"]
    if not puzzle.palette.is_one_colour:  # black and white needs no legend
        asked["palette"] = [[colour.char, colour.rgb] for colour in puzzle.palette.colours]
    evidence = {"evidence": str(outcome.evidence)} if request.certify and outcome.evidence else {}
    return {**asked, **cast("CameBack", outcome.record(puzzle) | evidence)}


def certified(checked: Checked, folder: Path) -> Checked:
    """Add the claim of a certificate, which gets saved in a folder, to what backends said about a puzzle."""
    from nonocsp.backends.hybrid import Hybrid, HybridOptions
    from nonocsp.certificates import maker

    source, wall, certificate = checked.source, checked.request.limits.wall, None
    request = Request(limits=Limits(wall=wall))  # it works in this process, without a memory limit
    try:
        outcome, certificate = maker.prove(source.puzzle, request, Hybrid(HybridOptions()))
    except PuzzleError as error:
        outcome = Outcome(Answer.UNKNOWN, Termination.UNSUPPORTED, message=str(error))
    if certificate:
        outcome = replace(outcome, stats={"file": str(maker.save(certificate, folder, source.name))})
    elif not outcome.message:
        outcome = replace(outcome, message=f"the wall limit of {wall} s was reached")
    outcomes = {**checked.outcomes, CERTIFICATE: outcome}
    return Checked.of(source, checked.request, outcomes, checked.listed)
