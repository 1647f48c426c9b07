"""Make packs: sets of puzzles from several pictures, graded from small and easy to large and hard.

Size and target difficulty grow from puzzle to puzzle. Candidates are the original picture, its outline, both
together, and variations of these. The closest to the target is taken; a changed cell counts as much as a
sweep, so that a picture is not disfigured to reach the target. Two backends that solve in unrelated ways must
find that its solution is the only one. Pictures and seed determine everything.

A folder has its puzzles in any format, ``puzzles/01-name.json`` and so on, easiest first, and a page to print
of each, ``print/01-name.svg``. ``index.json`` describes these files for programs. ``index.html`` leads people
to playing and to the pages; it shows each picture once it is solved, and all when asked for.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import cycle, product
from math import inf, prod
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from nonocsp.backends.base import Answer, Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.formats import Format, save
from nonocsp.formats.target import open_target
from nonocsp.grading.levels import Level
from nonocsp.making.drawings import motifs
from nonocsp.making.gallery import grid, packed_goal
from nonocsp.making.image import Edges, PictureOptions, Threshold, prepare
from nonocsp.making.judging import RequiredClass, grade
from nonocsp.making.picture import AnyPicture, read_picture
from nonocsp.making.puzzles import Made, Production, PuzzleOptions
from nonocsp.model import BLACK_AND_WHITE, BackendError, FormatError, Puzzle, UsageError
from nonocsp.pages import filled
from nonocsp.render.book import book
from nonocsp.render.figure import Exercise, caption
from nonocsp.render.sheet import Sheets, sheets, write_sheets

CERTIFIERS = ("hybrid", "sat")
SMALLEST, LARGEST = 10, 30
DEPTH = 12
"""Cells that *Vary* may change."""
CELLS_PER_SWEEP = 20
"""Sets the target difficulty: 5 sweeps at 10x10, 45 at 30x30."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A picture for a pack; its name without the suffix is the title of the puzzle."""

    name: str
    picture: AnyPicture
    options: PictureOptions = field(default_factory=PictureOptions)


@dataclass(frozen=True, slots=True)
class Packed(Made):
    """A certified puzzle of a pack, titled after the picture, and its class: trivial or simple."""

    class_: str


@dataclass(frozen=True, slots=True)
class Pack:
    """Puzzles, the easiest first, and why pictures were left out, by their names."""

    puzzles: tuple[Packed, ...]
    skipped: dict[str, str]
    seed: int


def motif_subjects(*, in_colour: bool = True) -> list[Subject]:
    """Return the project's own motifs, each in its colours or all black on white."""
    return [
        Subject(
            motif.name,
            motif.image(in_colour=in_colour),
            PictureOptions(palette=motif.palette, fill_empty=True)
            if in_colour and motif.palette != BLACK_AND_WHITE
            else PictureOptions(threshold=Threshold.OTSU, fill_empty=True),
        )
        for motif in motifs()
    ]


def folder_subjects(folder: Path, options: PictureOptions) -> list[Subject]:
    """Return the files of a folder, by name."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; a pack is made of a folder of pictures")
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not files:
        raise UsageError(f"{folder} has no files; name a folder of pictures")
    return [Subject(path.name, path, options) for path in files]


def make_pack(
    subjects: Sequence[Subject], *, count: int = 30, seed: int = 0, jobs: int | None = None
) -> Pack:
    """Make a pack of at least one puzzle; fewer than `count` if the pictures give no more.

    Subjects are used in this order. If there are more than `count`, evenly chosen ones; if fewer, again from
    the first. UsageError says that no picture can be used.
    """
    options = PuzzleOptions(vary=DEPTH, class_=RequiredClass.SIMPLE, prune=False, seed=seed, jobs=jobs)
    packed: list[Packed] = []
    skipped: dict[str, str] = {}
    # Subjects evenly chosen from first to last, and then the others.
    evenly = {number * (len(subjects) - 1) // max(count - 1, 1) for number in range(count)}
    order = sorted(range(len(subjects)), key=lambda number: number not in evenly)
    for subject in cycle([subjects[number] for number in order]):
        if len(packed) == count or len(skipped) == len(subjects):
            break
        if subject.name in skipped:
            continue
        try:
            side = SMALLEST + round((LARGEST - SMALLEST) * len(packed) / max(count - 1, 1))
            packed.append(_make(subject, side, options, packed))
        except (FormatError, UsageError) as error:
            skipped[subject.name] = str(error)
    if not packed:
        raise UsageError(f"none of the pictures can be used: {next(iter(skipped.values()))}")
    levels = [*Level, None]
    packed.sort(
        key=lambda one: (levels.index(one.level), one.difficulty, prod(one.puzzle.shape), one.puzzle.title)
    )
    return Pack(tuple(packed), skipped, seed)


def certify(puzzle: Puzzle) -> None:
    """Raise BackendError unless every certifier finds the goal to be the only solution."""
    for backend in CERTIFIERS:
        outcome = run_backend(create(backend), puzzle, Request(), StopFlag())
        if outcome.answer is not Answer.UNIQUE or outcome.solutions != (puzzle.goal,):
            raise BackendError(f"{backend} finds {outcome.answer} for {puzzle.title!r}; please report it")


def _make(subject: Subject, side: int, options: PuzzleOptions, earlier: Iterable[Packed]) -> Packed:
    """Return the best puzzle of a subject that the pack does not have yet."""
    known = {packed.puzzle.canonical_hash for packed in earlier}
    picture = read_picture(subject.picture, (side, None))
    if picture.shape[1] > side:
        picture = read_picture(subject.picture, (None, side))
    target = picture.grey.size / CELLS_PER_SWEEP
    best, least = None, inf
    for edges, clear in product(Edges, (False, True)):
        prepared = prepare(picture, replace(subject.options, edges=edges))
        for generated in Production(prepared, replace(options, clear=clear)):
            made: tuple[Made, ...] = (generated, *generated.varied)
            for one in made:
                distance = abs(one.difficulty - target) + np.count_nonzero(one.image != prepared.start)
                if distance < least and one.puzzle.canonical_hash not in known:
                    best, least = one.puzzle, distance
    if best is None:
        raise FormatError("no further puzzle comes out of it", file=subject.name)
    puzzle = replace(best, title=Path(subject.name).stem)
    certify(puzzle)
    return Packed(puzzle, *grade(puzzle))


def check_pack_folder(folder: Path) -> None:
    """Raise UsageError if a pack cannot be written there."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; a pack is a folder")
    if any((folder / name).exists() for name in ("puzzles", "print", "index.json", "index.html")):
        raise UsageError(f"{folder} has a pack already; name another folder")


def write_pack(pack: Pack, folder: Path, format: Format) -> list[str]:
    """Write a pack into a folder."""
    check_pack_folder(folder)
    paths = write_folder((packed.puzzle for packed in pack.puzzles), folder / "puzzles", format)
    files = [path.relative_to(folder).as_posix() for path in paths]
    records = index(pack, files)
    for record, exercise in zip(records["puzzles"], _exercises(pack), strict=True):
        page = folder / record["page"]
        page.parent.mkdir(exist_ok=True)
        write_sheets(sheets([exercise]), page)
    texts = {
        "index.json": f"{json.dumps(records, indent=1)}\n",
        "index.html": _contents(pack, records["puzzles"]),
    }
    for name, text in texts.items():
        with open_target(folder / name) as stream:
            stream.write(text.encode())
    return files


def pack_book(pack: Pack, *, title: str = "") -> Sheets:
    """Return the book of a pack."""
    return book(_exercises(pack), title=title)


def _exercises(pack: Pack) -> list[Exercise]:
    """Return the puzzles of a pack as they are printed."""
    return [
        Exercise(
            packed.puzzle,
            packed.puzzle.title,
            caption(packed.puzzle.shape, str(packed.level)),
            packed.puzzle.goal,
            level=str(packed.level),
        )
        for packed in pack.puzzles
    ]


def _title(pack: Pack) -> str:
    return f"{len(pack.puzzles)} nonograms, from easy to hard"


def _contents(pack: Pack, records: Sequence[dict[str, Any]]) -> str:
    """Return the page on which the puzzles are played, and which leads to their other pages and files."""
    data = {
        "kind": "pack",
        "certifiers": CERTIFIERS,
        "puzzles": [
            {key: record[key] for key in ("file", "page", "level", "sweeps")}
            | grid(packed.puzzle.shape, packed.puzzle.palette)
            | {"title": record["puzzle"], "cells": packed_goal(packed.puzzle)}
            for record, packed in zip(records, pack.puzzles, strict=True)
        ],
    }
    links = "".join(
        f'<li><a href="{quote(record["page"])}">{escape(record["puzzle"])}</a>, {record["level"]}</li>'
        for record in records
    )
    return filled("gallery", data, title=_title(pack), without_script=f"<ol>{links}</ol>")


def index(pack: Pack, files: Sequence[str] = ()) -> dict[str, Any]:
    """Return the content of ``index.json``."""
    return {
        "seed": pack.seed,
        "unique_by": list(CERTIFIERS),
        "puzzles": [
            {
                **({"file": file, "page": f"print/{Path(file).stem}.svg"} if file else {}),
                "puzzle": packed.puzzle.title,
                "rows": packed.puzzle.shape[0],
                "columns": packed.puzzle.shape[1],
                "colours": len(packed.puzzle.palette) - 1,
                "level": str(packed.level),
                "class": packed.class_,
                "sweeps": packed.difficulty,
                "hash": packed.puzzle.canonical_hash,
            }
            for file, packed in zip(files or [""] * len(pack.puzzles), pack.puzzles, strict=True)
        ],
        "skipped": pack.skipped,
    }


def write_folder(puzzles: Iterable[Puzzle], folder: Path, format: Format) -> list[Path]:
    """Write puzzles to ``01-title.json`` and so on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from None
    numbered = list(enumerate(puzzles, start=1))
    digits = max(2, len(str(len(numbered))))
    suffix = format.suffixes[0] if format.suffixes else ".txt"
    paths = [folder / f"{i:0{digits}}-{slug(puzzle.title)}{suffix}" for i, puzzle in numbered]
    for path, (_, puzzle) in zip(paths, numbered, strict=True):
        save(puzzle, path, format=format.name)
    return paths


def slug(title: str) -> str:
    """Return a title as part of a file name: ASCII letters and digits, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:40] or "puzzle"
