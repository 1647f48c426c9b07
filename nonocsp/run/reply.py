"""Encode what a run found, and decode it in the driver, which checks all of it.

A reply is a line of JSON and then the cells of all grids, a bit or a byte each. `decode_reply` checks every
grid against the puzzle, and that answer, termination, solutions and task fit together.
"""

from __future__ import annotations

import errno
import math
import os
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import MOST_COUNTED, Answer, Outcome, Request, Task, Termination
from nonocsp.backends.run import WrongGrid, check_cells, usable
from nonocsp.json_lines import once_there_is_room
from nonocsp.model import Grid, Puzzle, PuzzleError, bounds
from nonocsp.run.jobs import Job

MAX_BYTES, MAX_HEADER = 64 << 20, 1 << 20
"""The longest reply, and how much of it is kept for the line of JSON."""
MAX_MESSAGE = 10_000  # characters


class _Header(msgspec.Struct):
    """The line of JSON; `solutions` says how many grids follow, and `partial` whether another one does."""

    answer: Answer
    termination: Termination
    message: Annotated[str, msgspec.Meta(max_length=MAX_MESSAGE)]
    wrong: bool
    stats: Any
    wall_s: float | None
    cpu_s: float | None
    solutions: int
    partial: bool
    count: int | None
    count_at_least: int
    proved: bool = False


_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(_Header).decode


class Reply(NamedTuple):
    """An outcome that was checked, and the seconds that the run's process claims; None for nonsense."""

    outcome: Outcome
    claimed_wall_s: float | None
    claimed_cpu_s: float | None


def encode_reply(outcome: Outcome, puzzle: Puzzle) -> bytes:
    """Return what a run reports; ValueError if its solutions are too many for a reply."""
    header = _Header(
        answer=outcome.answer,
        termination=outcome.termination,
        message=outcome.message[:MAX_MESSAGE].encode("utf-8", "replace").decode(),
        wrong=outcome.wrong,
        stats={**outcome.stats},
        wall_s=float(outcome.wall_s),
        cpu_s=float(outcome.cpu_s),
        solutions=len(outcome.solutions),
        partial=outcome.partial is not None,
        count=outcome.count,
        count_at_least=outcome.count_at_least,
        proved=outcome.proved,
    )
    parts = [_encode(header), b"\n"]
    if len(outcome.solutions) * _bytes_of_a_grid(puzzle) > MAX_BYTES - MAX_HEADER:
        raise ValueError(f"its {len(outcome.solutions)} solutions take more than {MAX_BYTES >> 20} MiB")
    for grid in outcome.solutions:
        cells = grid.colours(unknown=0)
        parts.append((np.packbits(cells) if puzzle.palette.is_one_colour else cells).tobytes())
    if outcome.partial is not None:
        parts.append(outcome.partial.candidates.tobytes())
    return b"".join(parts)


def decode_reply(reply: bytes, puzzle: Puzzle, request: Request) -> Reply:
    """Return what any bytes report if it can be true; ValueError, which says how, if it cannot."""
    line, _, packed = reply.partition(b"\n")
    try:
        header = _decode(line)
    except RecursionError:
        raise ValueError("its first line is nested too deeply") from None
    stats, unusable = usable(header.stats)
    if unusable:
        raise ValueError(unusable)
    if not 0 <= header.solutions <= request.listed:
        raise ValueError(
            f"{header.solutions} solutions; task {request.task} asks for at most {request.listed}"
        )
    if header.wrong and (header.termination is not Termination.CRASHED or header.solutions):
        raise ValueError("a wrong grid that is no crash")
    cells, solutions, partial = _grids(packed, puzzle, header)
    _check_answer(header, partial, request.task)
    _check_count(header, request)
    outcome = Outcome(header.answer, header.termination, solutions, partial, stats, message=header.message,
                      wrong=header.wrong, count=header.count, count_at_least=header.count_at_least,
                      palette=puzzle.palette, proved=header.proved)  # fmt: skip
    try:
        for one in cells:
            check_cells(puzzle, one)
        if len({*solutions}) < len(solutions):
            raise WrongGrid("the same solution came twice")
    except WrongGrid as error:
        outcome = Outcome(
            Answer.UNKNOWN, Termination.CRASHED, stats=stats, message=f"wrong answer: {error}", wrong=True
        )
    claims = (seconds if seconds is not None and 0 <= seconds < math.inf else None
              for seconds in (header.wall_s, header.cpu_s))  # fmt: skip
    return Reply(outcome, *claims)


def checked_reply(found: bytes, job: Job) -> Reply:
    """Return what a run reports, or a crash if that cannot be used."""
    try:
        return decode_reply(found, job.puzzle, job.request)
    except ValueError as error:
        message = f"the run's reply cannot be used: {error}"
        return Reply(Outcome(Answer.UNKNOWN, Termination.CRASHED, message=message), None, None)


def put(box: int, content: bytes) -> None:
    """Write a job or a reply to a file; while the disk is full, wait for room."""

    def write() -> None:
        if os.pwrite(box, content, 0) < len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    once_there_is_room(write)


def _bytes_of_a_grid(puzzle: Puzzle) -> int:
    rows, columns = puzzle.shape
    return (rows * columns + 7) // 8 if puzzle.palette.is_one_colour else rows * columns


def _grids(
    packed: bytes, puzzle: Puzzle, header: _Header
) -> tuple[list[NDArray[np.uint8]], tuple[Grid, ...], Grid | None]:
    """Return the solutions that the bytes hold, as colours and as grids, and the partial grid."""
    (rows, columns), size = puzzle.shape, _bytes_of_a_grid(puzzle)
    expected = (end := header.solutions * size) + header.partial * rows * columns * 8
    if len(packed) != expected:
        raise ValueError(f"{len(packed)} bytes of grids; expected {expected}")
    cells, grids = [], []
    for start in range(0, end, size):
        flat = np.frombuffer(packed, np.uint8, size, start)
        if puzzle.palette.is_one_colour:
            flat = np.unpackbits(flat, count=rows * columns)
        cells.append(flat.reshape(rows, columns))
        try:
            grids.append(Grid.from_cells(cells[-1]))
        except PuzzleError as error:
            raise ValueError(str(error)) from None
    if not header.partial:
        return cells, tuple(grids), None
    candidates = np.frombuffer(packed, np.uint64, rows * columns, end).reshape(rows, columns)
    if not candidates.all() or (candidates >> np.uint64(len(puzzle.palette))).any():
        raise ValueError("its partial grid has a cell without a colour of the palette")
    return cells, tuple(grids), Grid(candidates)


def _check_answer(header: _Header, partial: Grid | None, task: Task) -> None:
    """Raise ValueError unless the answer follows from what was found."""
    answer, termination, count = header.answer, header.termination, header.solutions
    if termination in (Termination.CPU, Termination.KILLED):
        raise ValueError(f"termination {termination}, which a run cannot report")
    is_ok, has_none = termination is Termination.OK, count == 0 and partial is None
    fits = {
        Answer.MULTIPLE: count >= 2,
        Answer.UNIQUE: count == 1 and is_ok and partial is None and task is not Task.SOLVE,
        Answer.SOLVED: count == 1,
        Answer.UNSAT: has_none and is_ok,
        Answer.PARTIAL: count == 0 and partial is not None and not partial.is_full,
        Answer.UNKNOWN: has_none and not is_ok,
    }
    if not fits[answer]:
        kept = f"{count} solutions{' and a partial grid' if partial is not None else ''}"
        raise ValueError(f"answer {answer} with termination {termination} and {kept} in task {task}")
    if header.proved and answer not in (Answer.UNIQUE, Answer.UNSAT):
        raise ValueError(f"a proof of answer {answer}, which has none")


def _check_count(header: _Header, request: Request) -> None:
    """Raise ValueError unless what is said of the number of solutions fits the task and the solutions."""
    counted, at_least = header.count, header.count_at_least
    if not all(0 <= number <= MOST_COUNTED for number in (at_least, counted or 0)):
        raise ValueError(f"a number of solutions is negative, or has more than {bounds.COUNT_DIGITS} digits")
    if request.task is not Task.COUNT:
        fits = counted is None and at_least == 0
    else:
        fits = at_least >= header.solutions and counted in (None, at_least)
    if not fits:
        raise ValueError(f"numbers of solutions that do not fit {header.solutions} in task {request.task}")
