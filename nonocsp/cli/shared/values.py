"""Parse the values of options: durations, sizes and selections as people write them."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

import typer


def duration(text: str) -> float:
    """Return a duration in seconds: ``10``, ``10s``, ``500ms``, ``2m``, ``2h``."""
    from nonocsp.model.units import seconds

    try:
        return seconds(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def byte_count(text: str) -> int:
    """Return a memory size in bytes: ``500MB``, ``2GiB``."""
    from pydantic import ByteSize, TypeAdapter

    from nonocsp.bench.values import as_bytes

    try:
        value = int(TypeAdapter(ByteSize).validate_python(as_bytes(text)))
    except ValueError:
        value = 0
    if value < 1:
        raise typer.BadParameter(f"{text!r} is not a size such as 500MB or 2GiB")
    return value


def bound(text: str) -> int | None:
    """Return the largest number of solutions to look for; None for ``all``."""
    if text == "all":
        return None
    if not re.fullmatch(r"[1-9]\d{0,17}", text):
        raise typer.BadParameter(f"{text!r} is not a number of solutions such as 1000, nor all")
    return int(text)


class Size(NamedTuple):
    """Rows and columns; a type of its own because typer takes a plain tuple for two values."""

    rows: int
    columns: int


def grid_size(text: str) -> Size:
    """Return the size written as ``25x30``."""
    match = re.fullmatch(r"([1-9]\d*)\s*[x×]\s*([1-9]\d*)", text.strip())
    if not match:
        raise typer.BadParameter(f"{text!r} is not a size such as 25x30 (rows x columns)")
    return Size(int(match[1]), int(match[2]))


def cell_size(text: str) -> Size:
    """Return the size written as ``8`` or ``8x10``."""
    return grid_size(text if "x" in text else f"{text}x{text}")


class PictureSize(NamedTuple):
    """Rows and columns, one of which may be open."""

    rows: int | None
    columns: int | None


def picture_size(text: str) -> PictureSize:
    """Return the size written as ``25x30``; ``25x`` and ``x30`` leave the other open."""
    match = re.fullmatch(r"([1-9]\d*)?\s*[x×]\s*([1-9]\d*)?", text.strip())
    if not match or not (match[1] or match[2]):
        raise typer.BadParameter(f"{text!r} is not a size such as 25x30, 25x or x30 (rows x columns)")
    return PictureSize(*(int(lines) if lines else None for lines in match.groups()))


class SweepRange(NamedTuple):
    """The fewest and the most sweeps that will do."""

    lowest: int
    highest: int


def sweep_range(text: str) -> SweepRange:
    """Return the range written as ``20..30``, or ``20`` for both."""
    match = re.fullmatch(r"(\d+)(?:\.\.(\d+))?", text.strip())
    if not match or int(match[1]) > int(match[2] or match[1]):
        raise typer.BadParameter(f"{text!r} is not a range such as 20..30, or a number such as 20")
    return SweepRange(int(match[1]), int(match[2] or match[1]))


class Target(NamedTuple):
    """The difficulty that is wanted: a range of sweeps, or a level."""

    wanted: SweepRange | str


def target(text: str) -> Target:
    """Return the range of sweeps written as ``20..30``, or a level written as ``easy``."""
    from nonocsp.grading.levels import Level

    if text.strip().lower() in [*Level]:
        return Target(text.strip().lower())
    if not text.strip()[:1].isdigit():
        levels = ", ".join(Level)
        raise typer.BadParameter(f"{text!r} is neither one of {levels} nor a range of sweeps such as 20..30")
    return Target(sweep_range(text))


def selection(text: str) -> range:
    """Return the positions, counted from 1, of ``3`` (one puzzle), ``1-9`` (nine) or ``4-`` (the rest).

    ``0:9`` and ``::5`` are slices as Python and the configs of campaigns have them, counted from 0.
    """
    match = re.fullmatch(r"(\d{1,18})(?:-(\d{0,18}))?", text.strip())
    if match:
        first = int(match[1])
        chosen = range(first, (first if match[2] is None else int(match[2] or sys.maxsize - 1)) + 1)
    elif match := re.fullmatch(r"(\d{0,18}):(\d{0,18})(?::(\d{0,18}))?", text.strip()):
        first, step = int(match[1] or 0) + 1, int(match[3] or 1)
        chosen = range(first, int(match[2] or sys.maxsize - 1) + 1, step) if step else range(0)
    else:
        chosen = range(0)
    if not chosen or chosen[0] < 1:
        raise typer.BadParameter(
            f"{text!r} is not a position such as 3, 1-10 or 4-, counted from 1, nor a slice such as 0:10"
        )
    return chosen
