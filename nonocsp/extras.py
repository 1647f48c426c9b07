"""Optional dependencies: which extra is for what, and what to say where it is missing.

They are looked for, never imported: that happens where they are used.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from nonocsp.model import UsageError


class Extra(NamedTuple):
    """What needs an extra, in the plural, and the modules that it brings."""

    users: str
    modules: tuple[str, ...]


EXTRAS = {
    "benchexec": Extra("containers for runs", ("benchexec",)),
    "cluster": Extra("clusters", ("distributed",)),
    "japanese": Extra("Japanese texts in PDF and PNG pages", ("matplotlib_fontja",)),
    "parquet": Extra("Parquet files and Arrow tables", ("pyarrow",)),
    "plots": Extra("plots", ("matplotlib",)),
    "solvers": Extra(
        "backends around other solvers", ("clingo", "cpmpy", "highspy", "pumpkin_solver", "pychoco", "z3")
    ),
    "spreadsheets": Extra("workbooks (.xlsx)", ("openpyxl",)),
}


def missing(extra: str) -> str:
    """Return what an extra would be needed for and how to get it; empty if it is installed."""
    users, modules = EXTRAS[extra]
    absent = [module for module in modules if not find_spec(module)]
    if not absent:
        return ""
    are = "is" if len(absent) == 1 else "are"
    return f"{users} need {', '.join(absent)}, which {are} not installed: pip install 'nonocsp[{extra}]'"


def require(extra: str) -> None:
    """Raise UsageError, with what to do, unless an extra is installed."""
    if problem := missing(extra):
        raise UsageError(problem)
