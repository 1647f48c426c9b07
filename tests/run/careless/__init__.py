"""Careless backends: each does one thing that a solver, or a library in it, does by mistake.

A class is registered under its name in its module, in small letters with hyphens. It is careless with puzzles
of 3x3, and solves them afterwards if it still can. With those of 2x2, which executors rehearse with, it does
nothing. With all others it only says what it finds around it (`base.see`), so that its next run shows what an
earlier one has changed.
"""

import re
from importlib import import_module

from careless.base import Careless

MODULES = ("answers", "base", "changes", "endings", "leftovers", "resources")
LATE = "raises-when-imported = careless.raising:Raising\n"
"""That which fails when it is imported."""


def entry_points() -> str:
    """Return what an installed package would say of them in its ``entry_points.txt``."""
    found = {
        name: module.__name__
        for module in (import_module(f"careless.{each}") for each in MODULES)
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Careless) and kind is not Careless
    }
    return LATE + "".join(
        f"{re.sub('(?<!^)(?=[A-Z])', '-', name).lower()} = {module}:{name}\n"
        for name, module in found.items()
    )
