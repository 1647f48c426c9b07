"""Do one piece of work for the studio: ``python -m nonocsp.studio.worker TASK PARENT`` in its own process.

The arguments come as JSON on standard input, the result goes as JSON to standard output. Files that a browser
sent are untrusted, and pictures and books take long: the server ends this process when nobody waits for it
any more (`nonocsp.studio.jobs`), and it ends itself if the server was killed. It runs in an empty folder of
its own, where its files may stay.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
import warnings
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from nonocsp.formats.codecs.data.json_files import decode, encode
from nonocsp.model import FormatWarning, NonocspError, Puzzle, UsageError

MOST_PUZZLES = 200
"""Puzzles of a set that are read, and those of a book."""

Json = dict[str, Any]


def read(name: str, *, content: str = "", path: str = "") -> Json:
    """Return the puzzles of a file, which comes as base64 or by its path; its suffix is evidence."""
    from nonocsp.formats import load_named

    path = path or str(_received(name, content))
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", FormatWarning)
        try:
            found = list(islice(load_named(path, name=name), MOST_PUZZLES + 1))
        except NonocspError as error:
            raise UsageError(str(error).replace(path, name)) from None
    return {
        "puzzles": [{"name": one.name, "puzzle": encode(one.puzzle)} for one in found[:MOST_PUZZLES]],
        "isCut": len(found) > MOST_PUZZLES,
        "notes": [str(note.message).replace(path, name) for note in notes],
    }


def write(name: str, *, format: str, puzzle: Json) -> Json:
    """Return a puzzle as a file; the suffix of its name decides the format, unless that is given."""
    from nonocsp.formats import format_to_write, save

    chosen = format_to_write(Path(name).name or "-", format or None)
    file = Path(f"puzzle{''.join(Path(name).suffixes[-2:]) or next(iter(chosen.suffixes), '')}")
    lost = save(decode(puzzle), file, format=chosen.name)
    return {"content": b64encode(file.read_bytes()).decode(), "suffix": file.suffix, "lost": lost}


def book(puzzles: Sequence[Json], *, is_book: bool, is_solved: bool, is_graded: bool, **layout: Any) -> Json:
    """Return a PDF of puzzles: sheets, or a book, with the options of `nonocsp.render.book.book`."""
    from nonocsp.grading.exercise import easiest_first, exercise
    from nonocsp.render.book import book as bound
    from nonocsp.render.paper import Paper
    from nonocsp.render.pdf import to_pdf
    from nonocsp.render.sheet import sheets

    layout["paper"] = Paper(layout["paper"])
    exercises = [
        exercise(decode(one), f"Puzzle {number}", is_graded=is_graded, is_solved=is_solved or is_book)
        for number, one in enumerate(puzzles, start=1)
    ]
    faults = [f"{one.heading}: {one.fault}" for one in exercises if one.fault]
    if is_book:
        made = bound(easiest_first(exercises), **layout)
    else:
        made = sheets(exercises, with_solutions=is_solved, **layout)
    pdf = to_pdf(made.pages, title=layout["title"])
    return {"content": b64encode(pdf).decode(), "pages": len(made.pages), "faults": faults}


def picture(name: str, *, content: str, options: Json) -> Json:
    """Return the puzzles that `nonocsp.generate` makes of a picture, whose bytes come as base64."""
    from nonocsp.making.api import generate

    file = _received(name, content)
    try:
        production = generate(file, **options)
    except NonocspError as error:
        raise UsageError(str(error).replace(str(file), name)) from None
    made = [
        {
            "puzzle": encode(one.puzzle),
            "level": str(one.level or ""),
            "class": one.class_,
            "sweeps": int(one.difficulty),
            "changes": len(one.changes),
            "likeness": float(one.likeness),
            "isWanted": one.is_wanted,
        }
        for one in production
    ]
    return {"puzzles": made, "shortage": production.shortage}


TASKS: dict[str, Callable[..., Json]] = {"read": read, "write": write, "book": book, "picture": picture}


def opened(source: str) -> tuple[str, Puzzle]:
    """Return the first puzzle of a file that the command line names, with its name; for the page's start."""
    from nonocsp.formats import load_named

    first = next(load_named(source))
    return Path(first.name).name, first.puzzle


def _received(name: str, content: str) -> Path:
    """Save bytes that a browser sent, below a name with no more than the letters and digits of theirs."""
    plain = re.sub(r"[^\w. -]", "", Path(name).name).strip(". ")[-80:]
    path = Path(plain or "received")
    path.write_bytes(b64decode(content))
    return path


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main() -> None:
    """Read the arguments, work, and write the result or the error."""
    threading.Thread(target=_end_with, args=(int(sys.argv[2]),), daemon=True).start()
    arguments = json.loads(sys.stdin.buffer.read())
    with os.fdopen(os.dup(1), "wb") as answer:
        os.dup2(2, 1)  # what a library prints must not get into the answer
        try:
            result: Json = {"result": TASKS[sys.argv[1]](**arguments)}
        except NonocspError as error:
            result = {"error": str(error)}
        except MemoryError:
            result = {"error": "out of memory"}
        answer.write(json.dumps(result).encode())


if __name__ == "__main__":
    main()
