"""What an author objects to in the puzzles of `forty` pictures, by the picture's name."""

from __future__ import annotations

REMARKS: dict[str, str] = {}
