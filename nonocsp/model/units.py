"""Read durations as people write them: ``10s``, ``2m``, ``100ms``; in configs and on the command line."""

from __future__ import annotations

import re

from nonocsp.model.bounds import SECONDS

_UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def seconds(text: str) -> float:
    """Return the seconds of ``10``, ``10s``, ``500ms``, ``2m`` or ``2min``, ``1.5h``; else ValueError."""
    match = re.fullmatch(r"(\d{1,20}\.?\d{0,20}|\.\d{1,20})\s*([a-z]*)", text.strip(), re.ASCII)
    if not match or match[2] not in _UNITS or not (value := float(match[1]) * _UNITS[match[2]]) > 0:
        raise ValueError(f"{text!r} is not a duration such as 10, 10s, 500ms, 2m or 1h")
    if value > SECONDS:
        raise ValueError(f"{text!r} is too long: at most {SECONDS} seconds, which is three years")
    return value
