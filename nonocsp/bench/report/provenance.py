"""Describe for people how the figures of a report were measured: each term with its meaning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from nonocsp.bench.provenance import GitState, versions_seen
from nonocsp.bench.report.digest import Part
from nonocsp.bench.report.figures import seconds
from nonocsp.bench.sessions import Session
from nonocsp.runner.provenance import Machine

if TYPE_CHECKING:
    from nonocsp.bench.rows import LimitsRecord

Facts = list[tuple[str, str]]
Value = TypeVar("Value")


def setting(part: Part) -> str:
    """Return in a few words what was asked, under which limit."""
    tasks = _distinct(row["task"] for row in part.rows)
    walls = _distinct(seconds(wall) for wall in {row["limits"]["wall"]: None for row in part.rows})
    return f"task {tasks}, wall limit {walls.replace('–', 'none')}"


def provenance(part: Part) -> Facts:
    """Return what the rows of a campaign say of how they were measured."""
    rows = part.rows
    reliable = sum(row["reliable"] for row in rows)
    seen = versions_seen(_distinct_objects(row["versions"] for row in rows)).items()
    return [
        ("task", _distinct(row["task"] for row in rows)),
        ("limits", _distinct(map(_limits, _distinct_objects(row["limits"] for row in rows)))),
        ("executor", _distinct(row["executor"] for row in rows)),
        ("times reliable", "all" if reliable == len(rows) else f"{reliable} of {len(rows)} runs"),
        ("machine", _distinct(row["machine"] for row in rows)),
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


def _limits(limits: LimitsRecord) -> str:
    memory = f"{limits['memory'] / 2**20:.0f} MiB" if limits["memory"] else "none"
    return f"wall {seconds(limits['wall'])}, CPU {seconds(limits['cpu'])}, memory {memory}".replace(
        "–", "none"
    )


def _distinct_objects(values: Iterable[Value]) -> Iterable[Value]:
    """Return each object once: equal values of many rows are mostly the same object."""
    return {id(value): value for value in values}.values()


def _distinct(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(texts))
