"""Hostile and careless backends: what each does, and what must become of it.

Every class is a backend, registered under its name in small letters with hyphens. The first line of its
docstring says what it does; `becomes` is how its runs must end, under every executor. The table in
docs/explanation/hostile-input.md comes from here.
"""

from __future__ import annotations

from importlib import import_module

from hostile.base import Hostile, backend_name

MODULES = (
    *("speech", "clocks", "patches", "answers", "statistics", "errors"),
    *("processes", "signals", "places", "groups"),
)
LATE = {
    "fails-to-import": "hostile.at_import.fails:FailsToImport",
    "sleeps-at-import": "hostile.at_import.sleeps:SleepsAtImport",
    "works-in-its-constructor": "hostile.at_import.constructor:WorksInItsConstructor",
}
"""Those that act when they are imported or made."""


def backends() -> dict[str, type[Hostile]]:
    """Return the classes that can be imported safely, by name."""
    found = [
        value
        for name in MODULES
        for value in vars(import_module(f"hostile.{name}")).values()
        if isinstance(value, type) and issubclass(value, Hostile) and value.__module__ == f"hostile.{name}"
    ]
    return {backend_name(kind): kind for kind in found if not kind.__name__.startswith("_")}


def entry_points() -> str:
    """Return what an installed package would say of them in its ``entry_points.txt``."""
    places = {name: f"{kind.__module__}:{kind.__name__}" for name, kind in backends().items()} | LATE
    return "\n".join(["[nonocsp.backends]", *(f"{name} = {place}" for name, place in places.items()), ""])
