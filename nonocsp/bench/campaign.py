"""Run a campaign: send the planned runs that are not stored yet to the executor, and store their rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from nonocsp.backends.base import Termination
from nonocsp.bench.agreement import answer_row
from nonocsp.bench.caveats import caveats
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.contradictions import CrossCheck, Disagreement, disagreements, wrong_answers
from nonocsp.bench.planning import PlannedRun, plan
from nonocsp.bench.scoring import Score, score_all
from nonocsp.bench.sessions import Session, add_session, new_session, read_info
from nonocsp.bench.shards import WHOLE, Shard
from nonocsp.bench.store import Store
from nonocsp.formats import save
from nonocsp.model import BackendError, UsageError
from nonocsp.runner import create
from nonocsp.runner.jobs import Executor, Job, Measurement
from nonocsp.runner.machine.conditions import disturbances
from nonocsp.runner.provenance import provenance

if TYPE_CHECKING:
    from nonocsp.bench.rows import Measured, RunRow


@dataclass(frozen=True, slots=True)
class Planned:
    """The campaign is about to start.

    Parameters
    ----------
    missing
        The runs that will be measured, in this order.
    rows
        Those of the other planned runs, which are stored already.
    warnings
        What will make rows hard to compare.
    """

    missing: Sequence[PlannedRun]
    rows: Sequence[RunRow]
    warnings: list[str]


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


Event = Planned | Started | Finished | Contradicted
Listener = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class CampaignResult:
    """A campaign, all planned runs done.

    Parameters
    ----------
    rows
        One row a planned run, in the order of the plan.
    scores
        One a backend.
    disagreements, wrong
        Contradictions between backends, and rows whose answer failed verification. Show them first.
    planned, ran, skipped
        How many runs are planned, were done now, and were stored before.
    warnings
        What makes rows hard to compare, such as versions that changed.
    """

    name: str
    rows: list[RunRow]
    scores: list[Score]
    disagreements: list[Disagreement]
    wrong: list[RunRow]
    planned: int
    ran: int
    skipped: int
    warnings: list[str]

    @property
    def is_sound(self) -> bool:
        """Whether no two backends contradict each other and every answer passed verification."""
        return not self.disagreements and not self.wrong


def run_campaign(
    config: CampaignConfig,
    output: Path,
    *,
    shard: Shard = WHOLE,
    retry: Collection[Termination] = (),
    scheduler: str | None = None,
    on_event: Listener = lambda _: None,
) -> CampaignResult:
    """Run what is missing of a campaign.

    Whatever ends it early (Ctrl-C, ``kill -9``), rows that were written stay, and the next call resumes.

    Parameters
    ----------
    config
        The campaign.
    output
        The campaign's folder: ``campaign.json``, ``runs.jsonl``, and ``failures/`` with the puzzles of runs
        that crashed.
    shard
        Which of the planned runs are wanted; the others are neither run nor in the result.
    retry
        Stored runs with one of these terminations are done again; their last row counts.
    scheduler
        Address of a cluster's scheduler, for executor ``dask``; None to start workers on this machine.
    on_event
        Called with `Planned` once, then with `Started` and `Finished` for each run.

    Raises
    ------
    UsageError
        If the folder holds another campaign, another driver writes to it, or there is nothing to run.
    BackendError
        If no worker of a cluster can run a backend; the runs of the others are done first.
    """
    runs = {run.id: run for run in shard.select(plan(config))}
    with Store(output) as store:
        if (name := read_info(output)["name"]) not in ("", config.name):
            another = f"{output} holds the campaign {name!r}, not {config.name!r}"
            raise UsageError(f"{another}: choose another --output")
        rows = {row["run"]: row for row in store.rows() if row["run"] in runs}
        missing = [run for id, run in runs.items() if id not in rows or rows[id]["termination"] in retry]
        if missing:
            inner = config.cluster.executor if config.cluster else "fork"
            with create(
                config.executor,
                config.jobs,
                pin=config.pin,
                cores=config.cores,
                address=scheduler,
                inner=inner,
            ) as executor:
                session = new_session(config, shard, len(runs), len(missing))
                add_session(output, config.name, session)
                on_event(_planned(config, missing, [*rows.values()], read_info(output)["sessions"], executor))
                check = CrossCheck(rows.values())
                told = {"campaign": config.name, "session": session["start"]}
                for row in _measure(missing, executor, store, on_event, **told):
                    rows[row["run"]] = row
                    on_event(Finished(row))
                    for disagreement in check.add(row):
                        on_event(Contradicted(disagreement))
    warnings = [*config.absences, *caveats([*rows.values()], read_info(output)["sessions"])]
    done = [rows[id] for id in runs]
    return CampaignResult(
        name=config.name,
        rows=done,
        scores=score_all(done),
        disagreements=disagreements(done),
        wrong=wrong_answers(done),
        planned=len(runs),
        ran=len(missing),
        skipped=len(runs) - len(missing),
        warnings=warnings,
    )


def _planned(
    config: CampaignConfig,
    missing: Sequence[PlannedRun],
    rows: Sequence[RunRow],
    sessions: Sequence[Session],
    executor: Executor,
) -> Planned:
    """Return the event that opens a session, with warnings of what will make its rows hard to compare."""
    backends = {run.backend: run for run in missing}
    ready = executor.readiness({run.spec for run in backends.values()})
    expected = [  # what is already known of the rows to come, as far as `caveats` reads it
        cast(
            "RunRow",
            {
                "backend": backend,
                **asdict(where),
                "executor": executor.name,
                "limits": asdict(run.request.limits),
                "reliable": True,
            },
        )
        for backend, run in backends.items()
        for where in ready[run.spec].provenances
    ]
    is_here = config.executor != "dask"
    found = [
        *config.absences,
        *(disturbances(config.jobs, config.cores, pin=config.pin) if is_here else []),
        *(f"{found.problem}; its runs wait" for found in ready.values() if found.problem),
        *caveats([*rows, *expected], sessions),
    ]
    again = {run.id for run in missing}
    return Planned(missing, [row for row in rows if row["run"] not in again], found)


def _measure(
    runs: Sequence[PlannedRun],
    executor: Executor,
    store: Store,
    on_event: Listener,
    *,
    campaign: str,
    session: str,
) -> Iterator[RunRow]:
    """Run the runs; yield their rows, stored, as they end."""
    by_id = {run.id: run for run in runs}

    def jobs(ready: Collection[str]) -> Iterator[Job]:
        for run in runs:
            if run.spec in ready:
                on_event(Started(run))
                yield run.job

    def measured() -> Iterator[tuple[Job, Measurement]]:
        """Yield what can be measured, and then what workers that joined meanwhile can measure."""
        left = {run.spec for run in runs}
        while left:
            found = executor.readiness(left)
            ready = {spec for spec in left if not found[spec].problem}
            if not ready:
                problems = "; ".join(found[spec].problem for spec in sorted(left))
                raise BackendError(f"{problems}. The runs of other backends are kept")
            yield from executor.run(jobs(ready))
            left -= ready

    for job, measurement in measured():
        run = by_id[job.id]
        row: RunRow = {
            "run": run.id,
            "campaign": campaign,
            **answer_row(
                run.source,
                run.backend,
                run.request,
                measurement.outcome,
                repeat=run.repeat,
                spec=run.spec,
            ),
            **_measured(measurement, run.spec),
            "session": session,
        }
        store.append(row)
        if measurement.outcome.termination is Termination.CRASHED:
            failures = store.folder / "failures"
            failures.mkdir(exist_ok=True)
            save(job.puzzle, failures / f"{job.id}.json", format="json")
        yield row


def _measured(measurement: Measurement, backend: str) -> Measured:
    """Return how and where a run was measured.

    Parameters
    ----------
    measurement
        Of the run.
    backend
        Its spec: if no process measured the run, because all workers were lost, this one stands for them.
    """
    where = measurement.provenance or provenance(backend)
    row: Measured = {
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
    if measurement.claimed_wall_s is None or measurement.claimed_cpu_s is None:
        return row
    return {
        "claimed_wall_s": measurement.claimed_wall_s,
        "claimed_cpu_s": measurement.claimed_cpu_s,
        **row,
    }
