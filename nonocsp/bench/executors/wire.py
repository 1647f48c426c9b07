"""Jobs and outcomes as JSON lines: the only form in which they travel between processes."""

from __future__ import annotations

import json
from typing import Any

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.bench.executors.base import Job
from nonocsp.formats.project_json import decode as from_json
from nonocsp.formats.project_json import encode as to_json
from nonocsp.model import Grid, Palette, Puzzle


def encode_job(job: Job) -> bytes:
    """Return the job, without its id, as one line."""
    request, limits = job.request, job.request.limits
    return _line(
        {
            "puzzle": to_json(job.puzzle, with_goal=False),  # which is not for a backend to see
            "backend": job.backend,
            "task": request.task,
            "limits": [limits.wall, limits.cpu, limits.memory],
            "seed": request.seed,
            "bound": request.bound,
        }
    )


def decode_job(line: bytes) -> Job:
    """Return the job that `encode_job` wrote."""
    document = json.loads(line)
    request = Request(
        Task(document["task"]), Limits(*document["limits"]), document["seed"], document["bound"]
    )
    return Job(from_json(document["puzzle"]), document["backend"], request)


def encode_reply(outcome: Outcome, puzzle: Puzzle, peak_rss_bytes: int | None) -> bytes:
    """Return what a worker reports of one run as one line."""
    return _line({**outcome.record(puzzle), "peak_rss_bytes": peak_rss_bytes})


def decode_reply(line: bytes, palette: Palette) -> tuple[Outcome, int | None]:
    """Return the outcome and the peak memory that `encode_reply` wrote."""
    record = json.loads(line)
    outcome = Outcome(
        answer=Answer(record["answer"]),
        termination=Termination(record["termination"]),
        solutions=tuple(Grid.from_strings(lines, palette) for lines in record["solutions"]),
        partial=Grid.from_strings(record["partial"], palette) if "partial" in record else None,
        stats=record["stats"],
        wall_s=record["wall_s"],
        cpu_s=record["cpu_s"],
        message=record.get("message", ""),
        wrong=record.get("wrong", False),
    )
    return outcome, record["peak_rss_bytes"]


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"
