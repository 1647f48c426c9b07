"""Optional dependencies: which extra is for what, and what to say where it is missing.

They are looked for, never imported: that happens where they are used.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from nonocsp.model import UsageError


class Extra(NamedTuple):
    """What needs an extra, in the plural, and the module that it brings."""

    users: str
    module: str


EXTRAS = {
    "cgroup": Extra("control groups", "benchexec"),
    "cluster": Extra("clusters", "distributed"),
    "parquet": Extra("Parquet files", "pyarrow"),
    "plots": Extra("plots", "matplotlib"),
}


def missing(extra: str) -> str:
    """Return what an extra would be needed for and how to get it; empty if it is installed."""
    users, module = EXTRAS[extra]
    if find_spec(module):
        return ""
    return f"{users} need {module}, which is not installed: pip install 'nonocsp[{extra}]'"


def require(extra: str) -> None:
    """See that an extra is installed.

    Raises
    ------
    UsageError
        If it is not, with what to do.
    """
    if problem := missing(extra):
        raise UsageError(problem)
