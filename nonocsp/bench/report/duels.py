"""Arrange pairs of backends as a matrix: each row's backend against each column's."""

from __future__ import annotations

from dataclasses import dataclass

from nonocsp.bench.report import figures
from nonocsp.bench.report.digest import Part
from nonocsp.bench.scoring import Pair
from nonocsp.bench.scoring.evidence import is_significant


@dataclass(frozen=True, slots=True)
class Duel:
    """A cell of the matrix: the row's backend against the column's; with a ratio below 1 it is faster."""

    wins: int
    losses: int
    ratio: str
    is_significant: bool
    detail: str

    @property
    def kind(self) -> str:
        """In a word, for the style of the cell."""
        return "significant" if self.is_significant else ""


@dataclass(frozen=True, slots=True)
class DuelRow:
    """A backend against all, None for itself, in the order of the scores."""

    backend: str
    duels: list[Duel | None]


def matrix(part: Part) -> list[DuelRow]:
    """Return the matrix of a campaign."""
    cells = {}
    for pair in part.pairs:
        cells[pair.first, pair.second] = _cell(pair, pair.wins, pair.losses, pair.ratio, pair.interval)
        low, high = pair.interval or (0.0, 0.0)
        turned = (1.0 / high, 1.0 / low) if low else None
        ratio = 1.0 / pair.ratio if pair.ratio else None
        cells[pair.second, pair.first] = _cell(pair, pair.losses, pair.wins, ratio, turned)
    names = [score.backend for score in part.scores]
    return [DuelRow(name, [cells.get((name, other)) for other in names]) for name in names]


def _cell(
    pair: Pair, wins: int, losses: int, ratio: float | None, interval: tuple[float, float] | None
) -> Duel:
    low, high = interval or (None, None)
    return Duel(
        wins,
        losses,
        figures.ratio(ratio),
        is_significant(pair.corrected_p_value),
        f"{wins} won, {losses} lost, {pair.ties} tied; ratio {figures.ratio(ratio)}, 95 % interval "
        f"{figures.ratio(low)} to {figures.ratio(high)}, p {figures.p_value(pair.corrected_p_value)}",
    )
