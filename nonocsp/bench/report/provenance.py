"""What a report says of how its figures were made: terms and what is said of them, for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nonocsp.bench.provenance import GitState, Machine, versions_seen
from nonocsp.bench.report.digest import Part
from nonocsp.bench.report.figures import seconds
from nonocsp.bench.sessions import Info
from nonocsp.bench.store import Row

Facts = list[tuple[str, str]]


def setting(part: Part) -> str:
    """Return in a few words what was asked, under which limit."""
    tasks = _distinct(row["task"] for row in part.rows)
    walls = _distinct(seconds(wall) for wall in {row["limits"]["wall"]: None for row in part.rows})
    return f"task {tasks}, wall limit {walls.replace('–', 'none')}"


def provenance(part: Part) -> Facts:
    """Return what the rows of a campaign say of how they were measured."""
    rows = part.rows
    seen = versions_seen(_records(rows, "versions")).items()
    return [
        ("task", _distinct(row["task"] for row in rows)),
        ("limits", _distinct(map(_limits, _records(rows, "limits")))),
        ("executor", _distinct(row["executor"] for row in rows)),
        ("times reliable", _share(row["reliable"] for row in rows)),
        ("machine", _distinct(row["machine"] for row in rows)),
        ("versions", ", ".join(f"{package} {' and '.join(numbers)}" for package, numbers in seen)),
    ]


def session_facts(session: Info) -> Facts:
    """Return what ``campaign.json`` says of one start of the driver."""
    part = [f"shard {session['shard']}"] if session["shard"] else []
    return [
        ("runs", f"{session['missing']} to do of {session['planned']}, {session['jobs']} at a time"),
        ("executor", f"{session['executor']}{', pinned to cores' if session['pin'] else ''}"),
        *([("part", ", ".join([*part, *session["filters"]]))] if part or session["filters"] else []),
        ("code", str(GitState(**session["git"])) if session["git"] else "no checkout"),
        ("machine", _machine(session["machine"])),
    ]


def _machine(record: dict[str, Any]) -> str:
    machine = Machine(**record)
    return f"{machine}, {machine.memory_bytes / 2**30:.1f} GiB, {machine.os}, {machine.host}"


def _limits(limits: dict[str, Any]) -> str:
    memory = f"{limits['memory'] / 2**20:.0f} MiB" if limits["memory"] else "none"
    return f"wall {seconds(limits['wall'])}, CPU {seconds(limits['cpu'])}, memory {memory}".replace(
        "–", "none"
    )


def _records(rows: Iterable[Row], key: str) -> Iterable[dict[str, Any]]:
    """Return what the rows have under a key, each object once: equal ones are mostly the same."""
    return {id(row[key]): row[key] for row in rows}.values()


def _distinct(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(texts))


def _share(flags: Iterable[bool]) -> str:
    """Return how many of the runs a flag is true for."""
    values = list(flags)
    return "all" if all(values) else f"{sum(values)} of {len(values)} runs"
