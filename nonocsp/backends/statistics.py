"""Keep what a row can hold of a backend's statistics: finite numbers of 64 bits, and short texts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from nonocsp.backends.base import Statistic
from nonocsp.formats.json_text import is_unicode

MOST, NAME_CHARS, TEXT_CHARS = 256, 100, 10_000
"""The most statistics of a run, and the longest name and text of one."""


def usable(stats: object) -> tuple[dict[str, Statistic], str]:
    """Return the statistics that a row can hold, and a note about the others; empty if there are none.

    NumPy's scalars become numbers.
    """
    if not isinstance(stats, Mapping):
        return {}, f"its statistics are a {type(stats).__name__}; expected a dict"
    kept: dict[str, Statistic] = {}
    dropped: list[str] = []
    for name, value in stats.items():
        plain = value.item() if isinstance(value, np.generic) else value
        if not (isinstance(name, str) and 0 < len(name) <= NAME_CHARS and is_unicode(name)):
            dropped.append(f"a statistic's name is no text of 1 to {NAME_CHARS} characters")
        elif not _can_be_stored(plain):
            dropped.append(f"its statistic {name!r} is {_described(plain)}")
        elif len(kept) == MOST:
            return kept, f"it has {len(stats)} statistics; the first {MOST} were kept"
        else:
            kept[name] = plain
    if not dropped:
        return kept, ""
    expected = f"expected a finite number of at most 64 bits or a text of at most {TEXT_CHARS} characters"
    return kept, f"{dropped[0]}; {expected}"


def _can_be_stored(value: Any) -> bool:
    match value:
        case int():
            return -(1 << 63) <= value < 1 << 63
        case float():
            return math.isfinite(value)
        case str():
            return len(value) <= TEXT_CHARS and is_unicode(value)
    return False


def _described(value: object) -> str:
    """Return a number, or the type of anything else, which says more."""
    return f"{value}" if isinstance(value, float) else f"a value of type {type(value).__name__}"
