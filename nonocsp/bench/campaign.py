"""Run a campaign: send the planned runs that are not stored yet to the executor, and store their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import compress, islice
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Termination
from nonocsp.bench import whole_sets
from nonocsp.bench.agreement import answer_row
from nonocsp.bench.caveats import caveats
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.contradictions import KEPT, CrossCheck, Disagreement, Findings, cross_check
from nonocsp.bench.planning import WHOLE, Plan, PlannedRun, Shard
from nonocsp.bench.rows import Measured, RunRow
from nonocsp.bench.scoring import Runs, Score, scores
from nonocsp.bench.sessions import CampaignInfo, add_session, new_session, read_info, set_codes
from nonocsp.bench.store import NO_ROW, Campaign, Rows, Store, set_aside
from nonocsp.bench.table import TERMINATIONS, RunTable, joined, table_of
from nonocsp.formats import save
from nonocsp.formats.target import refuse_link
from nonocsp.json_lines import once_there_is_room
from nonocsp.model import BackendError, UsageError
from nonocsp.run import create
from nonocsp.run.conditions import disturbances
from nonocsp.run.jobs import Executor, Job, Measurement, Readiness
from nonocsp.run.provenance import forget_code, provenance

_AT_ONCE = 1 << 16
"""Runs that are looked up at a time."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """Earlier results were renamed, because the campaign starts afresh; `folder` is where they are now."""

    folder: Path


@dataclass(frozen=True, slots=True)
class Planned:
    """The campaign is about to start."""

    missing: Iterable[PlannedRun]  # will be measured in this order; can be read again
    counts: Mapping[str, int]  # missing runs of each backend
    done: RunTable  # the other planned runs, which are stored already
    warnings: list[str]  # what will make rows hard to compare


@dataclass(frozen=True, slots=True)
class Started:
    """An executor has taken a run; it may hold it for a moment before it starts it."""

    run: PlannedRun


@dataclass(frozen=True, slots=True)
class Finished:
    """A run ended and its row is stored."""

    row: RunRow


@dataclass(frozen=True, slots=True)
class Contradicted:
    """The run that finished last contradicts an earlier one."""

    disagreement: Disagreement


Event = SetAside | Planned | Started | Finished | Contradicted
Listener = Callable[[Event], None]


@dataclass(frozen=True)
class CampaignResult:
    """A campaign, all `planned` runs done."""

    campaign: Campaign
    findings: Findings  # contradictions between backends
    planned: int
    ran: int
    skipped: int  # stored before
    warnings: list[str]  # what makes rows hard to compare

    @property
    def name(self) -> str:
        """The campaign's name."""
        return self.campaign.name

    @property
    def rows(self) -> Rows:
        """One row a planned run, in the order in which they ended: a stream that can be read again."""
        return self.campaign.rows

    @cached_property
    def scores(self) -> list[Score]:
        """One a backend."""
        return scores(Runs.of(self.campaign.table))

    @property
    def disagreements(self) -> list[Disagreement]:
        """Contradictions between backends, the first thousand at most. Show them first."""
        return self.findings.disagreements

    @cached_property
    def wrong(self) -> list[RunRow]:
        """Rows whose answer failed verification, the first thousand at most. Show them first."""
        return list(self.rows.at(np.flatnonzero(self.campaign.table["wrong"])[:KEPT].tolist()))

    @property
    def is_sound(self) -> bool:
        """Whether no two backends contradict each other and every answer passed verification."""
        return not self.findings.count and not self.campaign.table["wrong"].any()


def run_campaign(
    config: CampaignConfig,
    output: Path,
    *,
    shard: Shard = WHOLE,
    retry: Collection[Termination] = (),
    is_fresh: bool = False,
    keep_old: bool = False,
    scheduler: str | None = None,
    on_event: Listener = lambda _: None,
) -> CampaignResult:
    """Run what is missing of a campaign; whatever ends it early, rows stay, and the next call resumes.

    Parameters
    ----------
    config
        The campaign.
    output
        Its folder: ``campaign.json``, ``runs.jsonl``, and ``failures/``, the puzzles of runs that crashed.
    shard
        Which of the planned runs are wanted; the others are neither run nor in the result.
    retry
        Stored runs with one of these terminations are done again; their last row counts.
    is_fresh
        Whether a folder of earlier results is renamed first.
    keep_old
        Whether stored runs of other code count as done, and are scored. By default they are done again.
    scheduler
        Address of a cluster's scheduler, for executor ``dask``; None to start workers on this machine.
    on_event
        Called with each `Event`.

    Raises
    ------
    UsageError
        If the folder holds another campaign, another driver writes to it, or there is nothing to run.
    BackendError
        If no worker of a cluster can run a backend; the runs of the others are done first.
    """
    selection = _Selection(Plan(config), shard)
    next(iter(selection))  # or an error before anything is written
    forget_code()  # it may have changed since this process began
    if is_fresh and (moved := set_aside(output)):
        on_event(SetAside(moved))
    with Store(output) as store:
        info = read_info(output)
        if info["name"] not in ("", config.name):
            another = f"{output} holds the campaign {info['name']!r}, not {config.name!r}"
            raise UsageError(f"{another}: choose another --output")
        codes = counting(selection.plan, info, keep_old=keep_old)
        stored = store.campaign(codes)
        missing = _Missing.of(selection, stored, retry)
        if missing.count:
            with _executor(config, scheduler) as executor:
                ready = executor.readiness({spec for _, spec in missing.counts})
                if _add_codes(codes, missing, ready):
                    stored = store.campaign(codes)
                    missing = _Missing.of(selection, stored, retry)
                if missing.count:
                    done = stored.rows.select(missing.done)
                    warnings = [*stored.faults, *_expected(config, missing, done.table, output, ready)]
                    counts = {backend: count for (backend, _), count in missing.counts.items()}
                    session = new_session(config, shard, missing.planned, missing.count)
                    add_session(output, config.name, session, codes)
                    on_event(Planned(missing, counts, done.table, warnings))
                    check = CrossCheck(done.table, done.offsets, store.read)
                    del done, stored  # before the columns of all rows are made again
                    told = {"campaign": config.name, "session": session["start"]}
                    _measure(missing, executor, store, check, codes=codes, on_event=on_event, **told)
        set_codes(output, config.name, codes)
        stored = _planned_only(store.campaign(codes), missing)
    return CampaignResult(
        campaign=replace(stored, is_done=True),
        findings=cross_check([stored]),
        planned=missing.planned,
        ran=missing.count,
        skipped=missing.planned - missing.count,
        warnings=[*config.absences, *stored.faults, *caveats(stored.table, stored.info["sessions"])],
    )


def _planned_only(stored: Campaign, missing: _Missing) -> Campaign:
    """Return a campaign without the rows of runs that are planned no longer."""
    if len(stored.rows) == missing.planned:
        return stored
    wanted = np.zeros(len(stored.rows), bool)
    for ids, _ in missing.selection.ids():
        numbers = stored.rows.numbers(ids)
        wanted[numbers[numbers != NO_ROW]] = True
    return replace(stored, rows=stored.rows.select(wanted))


@dataclass(frozen=True, slots=True)
class _Selection:
    """The runs of a shard of a plan: a stream that can be read again."""

    plan: Plan
    shard: Shard

    def __iter__(self) -> Iterator[PlannedRun]:
        return self.shard.select(self.plan)

    def ids(self) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
        """Yield the ids of the runs, and the names and specs of their backends; many at a time."""
        stream = self.shard.ids(self.plan)
        while batch := [*islice(stream, _AT_ONCE)]:
            yield [run for run, _ in batch], [backend for _, backend in batch]


@dataclass(frozen=True, slots=True)
class _Missing:
    """The planned runs that have to be measured: a stream that can be read again."""

    selection: _Selection
    is_missing: bytearray  # a byte for each planned run, 1 if it has to be measured
    counts: Counter[tuple[str, str]]  # by backend and its spec
    done: NDArray[np.bool_]  # the stored rows of the other planned runs

    @classmethod
    def of(cls, selection: _Selection, stored: Campaign, retry: Collection[Termination]) -> Self:
        again = np.isin(stored.table["termination"], [TERMINATIONS.index(one) for one in retry])
        is_missing, counts = bytearray(), Counter[tuple[str, str]]()
        done = np.zeros(len(stored.rows), bool)
        for ids, backends in selection.ids():
            numbers = stored.rows.numbers(ids)
            is_done = numbers != NO_ROW
            is_done[is_done] = ~again[numbers[is_done]]
            done[numbers[is_done]] = True
            is_missing += (~is_done).tobytes()
            counts.update(backends[place] for place in np.flatnonzero(~is_done).tolist())
        return cls(selection, is_missing, counts, done)

    def __iter__(self) -> Iterator[PlannedRun]:
        return compress(self.selection, self.is_missing)

    @property
    def planned(self) -> int:
        return len(self.is_missing)

    @property
    def count(self) -> int:
        return self.counts.total()


def _executor(config: CampaignConfig, scheduler: str | None) -> Executor:
    return create(
        config.executor,
        config.jobs,
        pin=config.pin,
        cores=config.cores,
        access=config.access,
        address=scheduler,
        inner=config.cluster.executor if config.cluster else "fork",
    )


def counting(plan: Plan, info: CampaignInfo, *, keep_old: bool) -> dict[str, set[str]]:
    """Return the hashes of code whose rows count, by backend; of a backend that is not there, all rows do."""
    planned = {entry.label: entry.spec for entry in plan.backends}
    others = {backend: {*codes} for backend, codes in info["codes"].items() if backend not in planned}
    current = {} if keep_old else {label: {provenance(spec).code} for label, spec in planned.items()}
    return others | current


def _add_codes(codes: dict[str, set[str]], missing: _Missing, ready: Mapping[str, Readiness]) -> bool:
    """Let the code of workers count too, which may be compiled for other systems; return whether it does."""
    before = sum(map(len, codes.values()))
    for backend, spec in missing.counts:
        if backend in codes:
            codes[backend] |= {where.code for where in ready[spec].provenances}
    return sum(map(len, codes.values())) > before


def _expected(
    config: CampaignConfig, missing: _Missing, done: RunTable, output: Path, ready: Mapping[str, Readiness]
) -> list[str]:
    """Return warnings of what will make the rows of a session hard to compare."""
    alike = {"executor": config.executor, "limits": asdict(config.request(config.seeds[0]).limits)}
    expected = table_of(  # what is already known of the rows to come
        {"backend": backend, "spec": spec, **asdict(where), **alike}
        for backend, spec in missing.counts
        for where in ready[spec].provenances
    )
    is_here = config.executor != "dask"
    return [
        *config.absences,
        *(disturbances(config.jobs, config.cores, pin=config.pin) if is_here else []),
        *(f"{found.problem}; its runs wait" for found in ready.values() if found.problem),
        *caveats(joined([done, expected]), read_info(output)["sessions"]),
    ]


def _measure(
    runs: _Missing,
    executor: Executor,
    store: Store,
    check: CrossCheck,
    *,
    codes: Mapping[str, set[str]],
    on_event: Listener,
    campaign: str,
    session: str,
) -> None:
    """Run the runs, store their rows, and tell of each, and of the contradictions that it brings."""
    in_flight: dict[str, tuple[int, PlannedRun]] = {}
    is_missing = bytearray(runs.is_missing)  # 1 for each run that has not ended yet

    def jobs(ready: Collection[str]) -> Iterator[Job]:
        for place, run in compress(enumerate(runs.selection), is_missing):
            if run.spec in ready:
                in_flight[run.id] = place, run
                on_event(Started(run))
                yield run.job

    for job, measurement in _measured(executor, {spec for _, spec in runs.counts}, jobs, in_flight.clear):
        number, run = in_flight.pop(job.id)
        is_missing[number] = 0
        asked = run.source, run.backend, run.request
        answer = answer_row(*asked, measurement.outcome, repeat=run.repeat, spec=run.spec)
        how = _how_measured(measurement, run.spec)
        row: RunRow = {"run": run.id, "campaign": campaign, **answer, **how, "session": session}
        stored = store.append(row)
        if stored["termination"] == Termination.CRASHED:
            once_there_is_room(partial(_save_failure, job, store.folder))
        if stored["backend"] in codes:  # of a worker that has joined since, say
            codes[stored["backend"]].add(stored.get("code", ""))
        on_event(Finished(stored))
        for disagreement in check.add(row if "solutions_file" in stored else stored, *store.last):
            on_event(Contradicted(disagreement))


def _measured(
    executor: Executor,
    left: set[str],
    jobs: Callable[[Collection[str]], Iterator[Job]],
    forget: Callable[[], None],
) -> Iterator[tuple[Job, Measurement]]:
    """Yield what can be measured, and then what workers that joined meanwhile can measure."""
    while left:
        found = executor.readiness(left)
        ready = {spec for spec in left if not found[spec].problem}
        if not ready:
            problems = "; ".join(found[spec].problem for spec in sorted(left))
            raise BackendError(f"{problems}. The runs of other backends are kept")
        try:
            yield from whole_sets.measured(executor, jobs(ready))
        except BackendError:
            if not any(now.problem for now in executor.readiness(ready).values()):
                raise
            forget()  # a backend has lost its last worker: its runs wait for those of the others
        else:
            left -= ready


def _save_failure(job: Job, campaign: Path) -> None:
    path = campaign / "failures" / f"{job.id}.json"
    path.parent.mkdir(exist_ok=True)
    refuse_link(path)
    save(job.puzzle, path, format="json")


def _how_measured(measurement: Measurement, backend: str) -> Measured:
    where = measurement.provenance or provenance(backend)
    row: dict[str, Any] = {}
    if measurement.claimed_wall_s is not None and measurement.claimed_cpu_s is not None:
        row |= {"claimed_wall_s": measurement.claimed_wall_s, "claimed_cpu_s": measurement.claimed_cpu_s}
    row |= {
        "peak_rss_bytes": measurement.peak_rss_bytes,
        "executor": measurement.executor,
        "reliable": measurement.reliable,
        "conditions": measurement.conditions.record(),
        "versions": where.versions,
        "machine": where.machine,
        "code": where.code,
    }
    if measurement.left:
        row["left"] = [*measurement.left]
    return cast("Measured", row)
