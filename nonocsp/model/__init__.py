"""The puzzle model: imports nothing else of the project."""

from nonocsp.model.clue import Block, Clue, FlatClues, Line
from nonocsp.model.errors import (
    BackendError,
    FormatError,
    FormatWarning,
    NonocspError,
    NoSuchFileError,
    PuzzleError,
    UsageError,
    WorkerWarning,
    meant,
    unknown,
)
from nonocsp.model.grid import Grid, differing_cells
from nonocsp.model.palette import BLACK_AND_WHITE, MAX_COLOURS, UNKNOWN_CHAR, Colour, Palette
from nonocsp.model.puzzle import MAX_LINES, ClueDraft, Puzzle, mismatches, verify

__all__ = [
    "BLACK_AND_WHITE",
    "MAX_COLOURS",
    "MAX_LINES",
    "UNKNOWN_CHAR",
    "BackendError",
    "Block",
    "Clue",
    "ClueDraft",
    "Colour",
    "FlatClues",
    "FormatError",
    "FormatWarning",
    "Grid",
    "Line",
    "NoSuchFileError",
    "NonocspError",
    "Palette",
    "Puzzle",
    "PuzzleError",
    "UsageError",
    "WorkerWarning",
    "differing_cells",
    "meant",
    "mismatches",
    "unknown",
    "verify",
]
