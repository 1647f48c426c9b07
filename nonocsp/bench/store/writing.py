"""Write the rows of a campaign: `Store`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from nonocsp.bench.rows import crashed_row, encode_row
from nonocsp.bench.store.reading import FILE, WRITTEN, Campaign, Codes, Contents, refuse_segments, rows_from
from nonocsp.bench.store.solutions import put_aside
from nonocsp.formats.target import refuse_link
from nonocsp.json_lines import ADVICE, MAX_BYTES, JsonLines
from nonocsp.model import FormatError, UsageError

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow


class Store:
    """The rows of one campaign, open for appending. A context manager.

    Parameters
    ----------
    folder
        Made if missing; holds ``runs.jsonl``.

    Raises
    ------
    UsageError
        On entering, if another process is writing here.
    FormatError
        On entering, if the folder has lines, but not a single row, or ``runs.jsonl`` cannot be read to its
        end.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lines = JsonLines(folder / FILE)
        self._contents = Contents(folder)

    def __enter__(self) -> Self:
        """Read the rows that are there."""
        for name in WRITTEN:
            refuse_link(self.folder / name)
        refuse_segments(self.folder)
        self._lines.__enter__()
        try:
            self._contents.read()
            if self._contents.end:  # rows that are appended would be lost, too
                advice = "remove the lines that are no rows, or name another output"
                raise FormatError(f"{self._contents.end}; {advice}")
        except BaseException:
            self._lines.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *arguments: object) -> None:
        self._lines.__exit__(*arguments)

    def append(self, row: RunRow) -> RunRow:
        """Store a row; return it as it is stored.

        A row that no reader would accept becomes that of a crash, and many solutions go to a file.
        """
        offset = self._lines.size
        try:
            stored = put_aside(row, self.folder)
            line = encode_row(stored)
            if len(line) > MAX_BYTES:
                raise FormatError(f"it has {len(line) >> 20} MiB; expected at most {MAX_BYTES >> 20} MiB")
            self._contents.add(line, offset)
        except FormatError as error:
            stored = crashed_row(row, f"the row cannot be stored: {error.message}")
            line = encode_row(stored)
            self._contents.add(line, offset)
        except OSError as error:
            cannot = f"the solutions of {row['run']} cannot be written: {error.strerror}"
            raise UsageError(f"{cannot}. {ADVICE}") from None
        self._lines.write(line)
        return stored

    @property
    def last(self) -> tuple[int, tuple[int, int], int]:
        """The key of the puzzle of the last row, its digests of what it found and excludes, and its place."""
        return (*self._contents.columns.said, self._contents.offsets[-1])

    def read(self, place: int) -> RunRow:
        """Return the row at a place, with all its solutions."""
        return next(rows_from(self.folder, [place]))

    def campaign(self, codes: Codes | None = None) -> Campaign:
        """Return what is stored now, as `read_campaign` does."""
        return self._contents.campaign(codes)
