"""Print the result of a comparison of backends as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nonocsp.backends.base import Answer, Termination
from nonocsp.bench.agreement import Checked, Finding, Tally, ended_how

COLUMNS = (
    *(Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE, Answer.SOLVED, Answer.PARTIAL, Answer.UNKNOWN),
    *(Termination.WALL, Termination.CPU, Termination.MEMORY, Termination.UNSUPPORTED, Termination.CRASHED),
)
CUT_OFF = (Termination.WALL, Termination.CPU, Termination.MEMORY)


def is_fault(tally: Tally) -> bool:
    """Return whether backends disagreed or broke."""
    return bool(tally.findings[Finding.DISAGREED] + tally.findings[Finding.BROKEN])


def table(tally: Tally) -> Iterator[str]:
    """Yield the totals, and how the runs of each backend ended, as a Markdown table."""
    shown = [column for column in COLUMNS if any(ended[column] for ended in tally.ended.values())]
    yield f"{tally}\n"
    yield f"| backend | {' | '.join(shown)} | seconds |"
    yield "|---" * (2 + len(shown)) + "|"
    for backend, ended in tally.ended.items():
        counts = " | ".join(str(ended[column]) for column in shown)
        yield f"| `{backend}` | {counts} | {tally.wall_s[backend]:.1f} |"


def faults(checked: Checked) -> Iterator[str]:
    """Yield the disagreements and broken runs, one line each."""
    yield from (f"DISAGREEMENT {disagreement}" for disagreement in checked.disagreements)
    for backend, outcome in checked.outcomes.items():
        if outcome.termination is Termination.CRASHED:
            yield f"BROKEN {checked.source.name}: {backend}: {outcome.message}"


def cut_off(checked: Checked) -> Iterator[str]:
    """Yield the unfinished runs, one line each."""
    rows, columns = checked.source.puzzle.shape
    for backend, outcome in checked.outcomes.items():
        if outcome.termination in CUT_OFF:
            yield f"{checked.source.name} ({rows}x{columns}): {backend} {ended_how(outcome)}"


def listed(title: str, items: Iterable[str]) -> Iterator[str]:
    """Yield a list under a title; nothing for no items."""
    lines = [f"- {item}" for item in items]
    yield from [f"{title}:\n", *lines, ""] if lines else []
