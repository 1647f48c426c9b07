"""What makes the rows of a campaign hard to compare: whatever was not the same for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from nonocsp.bench.provenance import GitState, versions_seen
from nonocsp.bench.sessions import Info
from nonocsp.bench.store import Row


def caveats(rows: Sequence[Row], sessions: Sequence[Info] = ()) -> list[str]:
    """Return, for people, what differs between rows and between the sessions that made them.

    Of a row the keys ``backend``, ``versions``, ``machine``, ``executor``, ``limits`` and ``reliable`` are
    looked at, so what rows will have can be asked about before there are any.
    """
    return [*_of_versions(rows), *_of_rows(rows), *_of_sessions(sessions)]


def _of_versions(rows: Iterable[Row]) -> Iterator[str]:
    versions_of: dict[str, dict[int, dict[str, str]]] = {}
    for row in rows:  # equal versions are mostly one object
        versions_of.setdefault(row["backend"], {})[id(row["versions"])] = row["versions"]
    for backend, versions in versions_of.items():
        seen = versions_seen(versions.values()).items()
        differing = [f"{package} {' and '.join(numbers)}" for package, numbers in seen if len(numbers) > 1]
        if differing:
            yield f"{backend} was measured with different versions: {', '.join(differing)}"


def _of_rows(rows: Sequence[Row]) -> Iterator[str]:
    if len(machines := sorted({row["machine"] for row in rows})) > 1:
        yield f"the runs come from different machines: {'; '.join(machines)}"
    if len(executors := sorted({row["executor"] for row in rows})) > 1:
        yield f"the runs were measured by different executors: {', '.join(executors)}"
    limits = {id(row["limits"]): row["limits"] for row in rows}.values()
    if len(texts := sorted({_limits_text(entry) for entry in limits})) > 1:
        yield f"the runs had different limits: {'; '.join(texts)}"
    if disturbed := sum(not row["reliable"] for row in rows):
        what = "runs did not have a core to themselves: their times are not reliable"
        yield f"{disturbed} of {len(rows)} {what}"


def _of_sessions(sessions: Sequence[Info]) -> Iterator[str]:
    """Say what rows do not have: where else a session differs from the one before."""
    for what, text in _SESSION_FACTS.items():
        seen = list(dict.fromkeys(text(session) for session in sessions))
        if len(seen) > 1:
            yield f"{what} changed between sessions: {', then '.join(seen)}"


def _limits_text(limits: dict[str, Any]) -> str:
    wall, cpu, memory = limits["wall"], limits["cpu"], limits["memory"]
    parts = [
        f"wall {wall:g} s" if wall else "",
        f"CPU {cpu:g} s" if cpu else "",
        f"memory {memory / 2**20:g} MiB" if memory else "",
    ]
    return ", ".join(filter(None, parts)) or "none"


def _git_text(session: Info) -> str:
    return str(GitState(**session["git"])) if session["git"] else "no checkout"


def _jobs_text(session: Info) -> str:
    return f"{session['jobs']} at a time{', pinned' if session['pin'] else ''}"


def _memory_text(session: Info) -> str:
    return f"{session['machine']['memory_bytes'] / 2**30:.1f} GiB"


_SESSION_FACTS: dict[str, Callable[[Info], str]] = {
    "the code": _git_text,
    "the number of runs": _jobs_text,
    "the memory of the machine": _memory_text,
    "the operating system": lambda session: str(session["machine"]["os"]),
    "the host": lambda session: str(session["machine"]["host"]),
}
