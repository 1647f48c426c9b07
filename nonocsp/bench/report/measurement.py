"""Describe for people how the figures of a report were measured, and in which options backends differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any

import numpy as np

from nonocsp.backends.base import Answer
from nonocsp.backends.installed import registered
from nonocsp.backends.registry import create, is_declared, name_of, option_text
from nonocsp.bench.caveats import versions_seen
from nonocsp.bench.report.digest import LETTERS, Digest, Part
from nonocsp.bench.report.figures import seconds, shortened
from nonocsp.bench.sessions import GitState, Session
from nonocsp.bench.table import ANSWERS, Request, RunTable, by_first
from nonocsp.model import NonocspError
from nonocsp.run.provenance import Machine

MOST_OPTIONS = 50
"""The most options that a table compares."""

Facts = list[tuple[str, str]]


def setting(part: Part) -> str:
    """Return in a few words what was asked, under which limit."""
    requests = _used(part, "request")
    walls = _distinct(seconds(request.wall) for request in requests)
    return f"task {_distinct(request.task for request in requests)}, wall limit {walls.replace('–', 'none')}"


def provenance(part: Part) -> Facts:
    """Return what the rows of a campaign say of how they were measured."""
    requests, settings, runs = _used(part, "request"), _used(part, "setting"), len(part.table)
    reliable = int(part.table["reliable"].sum())
    seen = versions_seen(dict(setting.versions) for setting in settings).items()
    return [
        ("task", _distinct(request.task for request in requests)),
        ("limits", _distinct(map(_limits, requests))),
        ("executor", _distinct(setting.executor for setting in settings)),
        ("times reliable", _share(reliable, runs)),
        ("independence", _independence(part)),
        ("machine", _distinct(setting.machine for setting in settings)),
        ("versions", ", ".join(f"{package} {' and '.join(numbers)}" for package, numbers in seen)),
    ]


def _independence(part: Part) -> str:
    """Return how many verdicts rest only on backends that share the core's line solver."""
    runs, specs = part.runs, specs_of(part.table)
    shared = np.array([_shares_line_solver(specs[name]) for name in runs.backends])
    claims = [ANSWERS.index(answer) for answer in (Answer.UNIQUE, Answer.UNSAT)]
    is_claim = runs.is_decided & np.isin(runs.answer, claims)
    resting = int((is_claim.any(axis=0) & ~is_claim[~shared].any(axis=0)).sum())
    if not resting:
        return "each verdict of one or no solution is also that of a backend with another line solver"
    return (
        f"{resting} verdicts of one or no solution rest on backends that share a line solver; add sat:root=no"
    )


def _shares_line_solver(spec: str) -> bool:
    """Return whether a backend relies on the line solver of the core, as all built-in ones do by default."""
    if is_declared(spec) or written_options(spec).get("root") == "no":
        return False
    entry = registered().get(name_of(spec))
    return entry is None or entry.module.startswith("nonocsp.")


def session_facts(session: Session) -> Facts:
    """Return what ``campaign.json`` says of one start of the driver."""
    shard = [f"shard {session['shard']}"] if session["shard"] else []
    machine = Machine(**session["machine"])
    return [
        ("runs", f"{session['missing']} to do of {session['planned']}, {session['jobs']} at a time"),
        ("executor", f"{session['executor']}{', pinned to cores' if session['pin'] else ''}"),
        *([("runs of", ", ".join([*shard, *session["filters"]]))] if shard or session["filters"] else []),
        ("code", str(GitState(**session["git"])) if session["git"] else "no checkout"),
        ("machine", f"{machine}, {machine.memory_bytes / 2**30:.1f} GiB, {machine.os}, {machine.host}"),
    ]


def _limits(limits: Request) -> str:
    memory = f"{limits.memory / 2**20:.0f} MiB" if limits.memory else "none"
    return f"wall {seconds(limits.wall)}, CPU {seconds(limits.cpu)}, memory {memory}".replace("–", "none")


def _share(count: int, runs: int) -> str:
    return "all" if count == runs else f"{count} of {runs} runs" if count else "none"


def _used(part: Part, name: str) -> list[Any]:
    """Return the distinct requests or settings of a campaign's runs."""
    first, _ = by_first(part.table[name])
    return [getattr(part.table, f"{name}s")[code] for code in part.table[name][first]]


def _distinct(texts: Iterable[str]) -> str:
    return shortened("; ".join(dict.fromkeys(texts)), LETTERS)


@dataclass(frozen=True, slots=True)
class Configured:
    """An entrant with its folder, spec and options; options that it does not have are missing."""

    backend: str
    folder: str
    spec: str
    options: dict[str, str]


def configured(digest: Digest) -> list[Configured]:
    """Return the entrants with their options, in the order of the scores."""
    specs = specs_of(digest.table)
    return [
        Configured(it.label, digest.parts[it.part].label, specs[it.label], options_of(specs[it.label]))
        for it in digest.entrants
    ]


def specs_of(table: RunTable) -> dict[str, str]:
    """Return the spec of each backend; the last run counts, if a name got another one."""
    latest = np.zeros(len(table.backends), np.int64)
    np.maximum.at(latest, table["backend"], np.arange(len(table)))
    settings = table["setting"][latest].tolist()
    return {name: table.settings[it].spec for name, it in zip(table.backends, settings, strict=True)}


def differing(entrants: Sequence[Configured]) -> list[str]:
    """Return the options that a backend sets and not all backends have alike, the first `MOST_OPTIONS`."""
    written = {key for entrant in entrants for key in written_options(entrant.spec)}
    found = (
        key
        for key in dict.fromkeys(key for entrant in entrants for key in entrant.options)
        if key in written and len({entrant.options.get(key) for entrant in entrants}) > 1
    )
    return list(islice(found, MOST_OPTIONS))


def written_options(spec: str) -> dict[str, str]:
    """Return the options that a canonical spec contains; those of a program are in its command."""
    if is_declared(spec):
        return {}
    pairs = (part.partition("=") for part in spec.partition(":")[2].split(",") if "=" in part)
    return {key: value for key, _, value in pairs}


def options_of(spec: str) -> dict[str, str]:
    """Return all options of a spec's backend; only those in the spec if it is not installed here."""
    if is_declared(spec):
        return {}
    try:
        options = create(spec).options
    except NonocspError:
        return written_options(spec)
    return {field.name: option_text(getattr(options, field.name)) for field in fields(options)}
