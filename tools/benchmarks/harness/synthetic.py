"""Make synthetic campaigns of any size, to measure and test the code that reads campaigns.

Rows have the keys and the shape of real ones, and a plausible story: puzzles differ in hardness by orders of
magnitude, backends in speed, each is lucky on puzzles of its own, and all agree on the answers. Some runs
time out, few run out of memory or crash, and the last backend is an incomplete one that often stops at a
partial grid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from nonocsp.backends.base import Answer, Limits, Termination
from nonocsp.bench.rows import RunRow
from nonocsp.bench.sessions import FILE as INFO_FILE
from nonocsp.bench.sessions import Session, add_session, git_state
from nonocsp.bench.store import Store
from nonocsp.run.jobs import Conditions
from nonocsp.run.provenance import machine, provenance

LIMITS = Limits(wall=10.0, cpu=None, memory=1 << 30)
SIZES = (5, 10, 15, 20, 25)
NAME = "synthetic"
_START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Story:
    """The true properties of a puzzle, the same for every backend."""

    index: int
    size: int
    seconds: float
    answer: Answer
    solutions: list[list[str]]

    @property
    def hash(self) -> str:
        return hashlib.sha256(f"{NAME} {self.index}".encode()).hexdigest()


def rows(
    *,
    backends: int = 10,
    puzzles: int = 10_000,
    repeats: int = 1,
    seed: int = 1,
    slower: Mapping[str, float] | None = None,
    hours: int = 0,
) -> Iterator[RunRow]:
    """Yield backends x puzzles x repeats rows."""
    rng = np.random.default_rng(seed)
    stories = [_story(index, rng) for index in range(1, puzzles + 1)]
    specs = specs_of(backends)
    speeds = np.geomspace(1.0, 8.0, backends) * [(slower or {}).get(spec, 1.0) for spec in specs]
    luck = rng.lognormal(0.0, 1.0, (puzzles, backends))
    for repeat in range(repeats):
        noise = rng.lognormal(0.0, 0.05, (puzzles, backends))
        chance = rng.random((puzzles, backends))
        for p, story in enumerate(stories):
            for b, spec in enumerate(specs):
                wall_s = story.seconds * float(speeds[b] * luck[p, b] * noise[p, b])
                came = _came(
                    story, wall_s, float(chance[p, b]), is_complete=b < backends - 1 or backends == 1
                )
                session = _START + timedelta(days=repeat, hours=hours)
                yield _row(story, spec, repeat, session, came)


def specs_of(backends: int) -> list[str]:
    """Return that many backend specs, fastest first; the last one is an incomplete backend."""
    return [*(f"hybrid:budget={n}" for n in range(1, backends)), "settle"][-backends:]


def write_campaign(folder: Path, rows: Iterable[RunRow]) -> None:
    """Write a folder as `nonocsp bench` leaves one."""
    count = 0
    with Store(folder) as store:
        for row in rows:
            store.append(row)
            count += 1
    (folder / INFO_FILE).unlink(missing_ok=True)
    add_session(folder, NAME, _session(count))


def _story(index: int, rng: np.random.Generator) -> _Story:
    size = int(rng.choice(SIZES))
    image = rng.random((size, size)) < 0.5
    answer = Answer(rng.choice([Answer.UNIQUE, Answer.MULTIPLE, Answer.UNSAT], p=[0.8, 0.17, 0.03]))
    grids = {Answer.UNIQUE: [image], Answer.MULTIPLE: [image, ~image]}.get(answer, [])
    seconds = 3e-4 * size * float(rng.lognormal(0.0, 2.5))
    return _Story(index, size, seconds, answer, [_strings(grid) for grid in grids])


def _strings(image: Any) -> list[str]:
    return ["".join(row) for row in np.where(image, "#", ".").tolist()]


def _came(story: _Story, wall_s: float, chance: float, *, is_complete: bool) -> dict[str, Any]:
    """Return the outcome of a run that would take this long."""
    assert LIMITS.wall is not None
    if wall_s > LIMITS.wall:
        late = {"message": f"the wall limit of {LIMITS.wall:g} s was reached"}
        return _outcome(Answer.UNKNOWN, Termination.WALL, LIMITS.wall + 1e-3, **late)
    if chance < 1e-3:
        return _outcome(Answer.UNKNOWN, Termination.MEMORY, wall_s, message="the memory limit was reached")
    if chance < 1.5e-3:
        return _outcome(Answer.UNKNOWN, Termination.CRASHED, wall_s, message="died of SIGSEGV")
    if not is_complete and story.answer is Answer.UNIQUE and chance < 0.7:
        partial = [row[: story.size // 2].ljust(story.size, "?") for row in story.solutions[0]]
        return _outcome(Answer.PARTIAL, Termination.OK, wall_s, partial=partial)
    return _outcome(story.answer, Termination.OK, wall_s, solutions=story.solutions)


def _outcome(answer: Answer, termination: Termination, wall_s: float, **rest: Any) -> dict[str, Any]:
    shared = {"answer": str(answer), "termination": str(termination), "wall_s": wall_s, "cpu_s": wall_s}
    return {**shared, "solutions": [], "stats": {"nodes": int(1e5 * wall_s), "settles": 170}, **rest}


def _row(story: _Story, backend: str, repeat: int, session: datetime, came: dict[str, Any]) -> RunRow:
    key = f"{story.index} {backend} {repeat}"
    started = (_START + timedelta(seconds=story.index)).isoformat(timespec="milliseconds")
    return {
        "run": hashlib.sha256(key.encode()).hexdigest()[:20],
        "campaign": NAME,
        "puzzle": f"random.jsonl#{story.index}",
        "index": story.index,
        "puzzle_hash": story.hash,
        "backend": backend,
        "task": "decide",
        "bound": 1000,
        "seed": 0,
        "repeat": repeat,
        "limits": asdict(LIMITS),
        "rows": story.size,
        "columns": story.size,
        **came,
        "claimed_wall_s": came["wall_s"],
        "claimed_cpu_s": came["cpu_s"],
        "peak_rss_bytes": 60 << 20,
        "executor": "fork",
        "reliable": True,
        "conditions": asdict(Conditions(started, cores=[0], load=0.5, mhz=2400.0, host="nowhere")),
        "versions": provenance(backend).versions,
        "machine": provenance(backend).machine,
        "code": provenance(backend).code,
        "session": session.isoformat(timespec="milliseconds"),
    }


def _session(planned: int) -> Session:
    return Session(
        start=_START.isoformat(timespec="milliseconds"),
        config={"name": NAME},
        config_text=f"name: {NAME}\n",
        jobs=1,
        executor="fork",
        pin=True,
        planned=planned,
        missing=planned,
        shard="",
        filters=[],
        versions=provenance("hybrid").versions,
        machine=asdict(machine()),
        git=asdict(state) if (state := git_state()) else None,
    )
