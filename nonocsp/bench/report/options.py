"""Show in which options the backends of a campaign differ, defaults included."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from nonocsp.backends.registry import create, option_text
from nonocsp.bench.report.digest import Part
from nonocsp.model import NonocspError


@dataclasses.dataclass(frozen=True, slots=True)
class Configured:
    """A backend with its spec and options; those that it does not have are missing."""

    backend: str
    spec: str
    options: dict[str, str]


def configured(part: Part) -> list[Configured]:
    """Return the backends of a campaign with their options, in the order of its scores."""
    return [Configured(backend, spec, options_of(spec)) for backend, spec in specs(part).items()]


def differing(entrants: Sequence[Configured]) -> list[str]:
    """Return the options that a backend sets and not all backends have alike."""
    written = {key for entrant in entrants for key in written_options(entrant.spec)}
    return [
        key
        for key in dict.fromkeys(key for entrant in entrants for key in entrant.options)
        if key in written and len({entrant.options.get(key) for entrant in entrants}) > 1
    ]


def specs(part: Part) -> dict[str, str]:
    """Return the spec of each backend of a campaign, in the order of its scores."""
    table = part.table
    pairs = np.unique(table["backend"].astype(np.int64) * len(table.settings) + table["setting"])
    found: dict[str, str] = {}
    for backend, setting in (divmod(int(pair), len(table.settings)) for pair in pairs):
        found.setdefault(table.backends[backend], table.settings[setting].spec)
    return {backend: found[backend] for backend in part.runs.backends}


def written_options(spec: str) -> dict[str, str]:
    """Return the options that a canonical spec contains."""
    pairs = (part.partition("=") for part in spec.partition(":")[2].split(",") if "=" in part)
    return {key: value for key, _, value in pairs}


def options_of(spec: str) -> dict[str, str]:
    """Return all options of a spec's backend; only those in the spec if the backend is not installed here."""
    try:
        options = create(spec).options
    except NonocspError:
        return written_options(spec)
    return {field.name: option_text(getattr(options, field.name)) for field in dataclasses.fields(options)}
