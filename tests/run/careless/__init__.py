"""Careless backends: each does one thing that a solver, or a library in it, does by mistake.

A class is registered under its name in small letters with hyphens, as that of an installed package is. It is
careless with puzzles of 3x3, and solves them afterwards if it still can. With those of 2x2, which executors
rehearse with, it does nothing. With all others it only says what it finds around it (`base.see`), so that its
next run shows what an earlier one has changed.
"""

from __future__ import annotations

import re
from importlib import import_module

from careless.base import Careless

MODULES = ("answers", "changes", "endings", "leftovers", "resources")
LATE = "raises-when-imported = careless.raising:Raising\n"
"""That which fails when it is imported."""


def entry_points() -> str:
    """Return what an installed package would say of them in its ``entry_points.txt``."""
    for name in MODULES:
        import_module(f"careless.{name}")
    return LATE + "".join(
        f"{re.sub('(?<!^)(?=[A-Z])', '-', kind.__name__).lower()} = {kind.__module__}:{kind.__name__}\n"
        for kind in Careless.__subclasses__()
    )
