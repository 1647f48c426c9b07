"""Describe for people how the figures of a report were measured: each term with its meaning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nonocsp.bench.provenance import GitState, versions_seen
from nonocsp.bench.report.digest import LETTERS, Part
from nonocsp.bench.report.figures import seconds, shortened
from nonocsp.bench.sessions import Session
from nonocsp.bench.table import Request, by_first
from nonocsp.runner.provenance import Machine

Facts = list[tuple[str, str]]


def setting(part: Part) -> str:
    """Return in a few words what was asked, under which limit."""
    requests = _used(part, "request")
    walls = _distinct(seconds(request.wall) for request in requests)
    return f"task {_distinct(request.task for request in requests)}, wall limit {walls.replace('–', 'none')}"


def provenance(part: Part) -> Facts:
    """Return what the rows of a campaign say of how they were measured."""
    requests, settings, runs = _used(part, "request"), _used(part, "setting"), len(part.table)
    reliable, isolated = int(part.table["reliable"].sum()), int(part.table.is_isolated.sum())
    seen = versions_seen(dict(setting.versions) for setting in settings).items()
    return [
        ("task", _distinct(request.task for request in requests)),
        ("limits", _distinct(map(_limits, requests))),
        ("executor", _distinct(setting.executor for setting in settings)),
        ("times reliable", _share(reliable, runs)),
        ("isolated", _share(isolated, runs)),
        ("machine", _distinct(setting.machine for setting in settings)),
        ("versions", ", ".join(f"{package} {' and '.join(numbers)}" for package, numbers in seen)),
    ]


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
