"""Find what makes the rows of a campaign hard to compare: whatever was not the same for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from nonocsp.bench.provenance import GitState, versions_seen

if TYPE_CHECKING:
    from nonocsp.bench.rows import LimitsRecord, RunRow
    from nonocsp.bench.sessions import Session


def caveats(rows: Sequence[RunRow], sessions: Sequence[Session] = ()) -> list[str]:
    """Return a sentence for everything that differs between rows, or between the sessions that made them.

    Parameters
    ----------
    rows
        Only ``backend``, ``versions``, ``code``, ``machine``, ``executor``, ``limits`` and ``reliable`` are
        read. So a campaign can ask about rows that it has yet to measure.
    sessions
        In the order of their start.
    """
    found: list[str] = []
    versions_of: dict[str, dict[int, dict[str, str]]] = {}
    codes: dict[str, set[str]] = {}
    for row in rows:  # equal versions are mostly one object
        versions_of.setdefault(row["backend"], {})[id(row["versions"])] = row["versions"]
        if code := row.get("code"):
            codes.setdefault(row["backend"], set()).add(code)
    for backend, versions in versions_of.items():
        seen = versions_seen(versions.values()).items()
        differing = [f"{package} {' and '.join(numbers)}" for package, numbers in seen if len(numbers) > 1]
        if differing:
            found.append(f"{backend} was measured with different versions: {', '.join(differing)}")
        elif len(hashes := sorted(codes.get(backend, ()))) > 1:
            found.append(f"{backend} was measured with different code: {' and '.join(hashes)}")
    if len(machines := sorted({row["machine"] for row in rows})) > 1:
        found.append(f"the runs come from different machines: {'; '.join(machines)}")
    if len(executors := sorted({row["executor"] for row in rows})) > 1:
        found.append(f"the runs were measured by different executors: {', '.join(executors)}")
    limits = {id(row["limits"]): row["limits"] for row in rows}.values()
    if len(texts := sorted(set(map(_limits_text, limits)))) > 1:
        found.append(f"the runs had different limits: {'; '.join(texts)}")
    if disturbed := sum(not row["reliable"] for row in rows):
        what = "runs did not have a core to themselves: their times are not reliable"
        found.append(f"{disturbed} of {len(rows)} {what}")
    for what, text in _SESSION_FACTS.items():
        if len(facts := list(dict.fromkeys(map(text, sessions)))) > 1:
            found.append(f"{what} changed between sessions: {', then '.join(facts)}")
    return found


def _limits_text(limits: LimitsRecord) -> str:
    wall, cpu, memory = limits["wall"], limits["cpu"], limits["memory"]
    parts = [
        f"wall {wall:g} s" if wall else "",
        f"CPU {cpu:g} s" if cpu else "",
        f"memory {memory / 2**20:g} MiB" if memory else "",
    ]
    return ", ".join(filter(None, parts)) or "none"


_SESSION_FACTS: dict[str, Callable[[Session], str]] = {
    "the code": lambda session: str(GitState(**session["git"])) if session["git"] else "no checkout",
    "the number of runs": lambda session: (
        f"{session['jobs']} at a time{', pinned' if session['pin'] else ''}"
    ),
    "the number of cores of a run": lambda session: str(session["config"].get("cores", 1)),
    "the memory of the machine": lambda session: f"{session['machine']['memory_bytes'] / 2**30:.1f} GiB",
    "the operating system": lambda session: session["machine"]["os"],
    "the host": lambda session: session["machine"]["host"],
}
