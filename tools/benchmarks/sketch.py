"""Compile and run the C++ sketch of the reference data, the yardstick of the core.

The sketch stands beside the checkout and is compiled for this very processor. Measurements run it in turns
with the core and report the ratio of the two.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from nonocsp import Puzzle
from tools.benchmarks.puzzles import ROOT

PROTOTYPE = ROOT.parent / "shared" / "prototype"


def compiled_sketch(folder: Path, driver: str) -> Path | None:
    """Compile a driver against the sketch's headers."""
    compiler = shutil.which("g++")
    if not (PROTOTYPE / "line.hpp").is_file() or compiler is None:
        return None
    source, program = folder / "driver.cpp", folder / "driver"
    source.write_text(driver)
    options = ["-std=c++20", "-O3", "-march=native", f"-I{PROTOTYPE}"]
    made = subprocess.run([compiler, *options, source, "-o", program], capture_output=True, check=False)
    return program if made.returncode == 0 else None


def sketch_command(folder: Path) -> list[str] | None:
    """Return the command that runs the sketch's best configuration on the file ``folder/puzzles``."""
    source, script = PROTOTYPE / "main.cpp", PROTOTYPE / "sketch"
    if not source.is_file() or not script.is_file():
        return None
    program = compiled_sketch(folder, source.read_text())
    options = re.findall(r"\s([a-z]\w*=[\w.]+)", script.read_text())
    return [str(program), str(folder / "puzzles"), *options] if program else None


def clue_lines(puzzle: Puzzle) -> list[str]:
    """Return a line for each clue, rows first: the number of blocks, then their lengths."""
    clues = (*puzzle.rows, *puzzle.columns)
    return [" ".join(str(n) for n in (len(clue), *(block.length for block in clue))) for clue in clues]


def puzzles_text(puzzles: Sequence[Puzzle]) -> str:
    """Return puzzles of one shape as the drivers read them: count and shape, then the lines of all clues."""
    rows, columns = puzzles[0].shape
    lines = (line for puzzle in puzzles for line in clue_lines(puzzle))
    return "\n".join((f"{len(puzzles)} {rows} {columns}", *lines))
