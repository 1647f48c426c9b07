"""Put the ladder into words, records and the page to play; the sentences stand in ``texts.json``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonocsp.backends.base import Outcome, Termination
from nonocsp.backends.open_lines import colours_in
from nonocsp.engine import Candidates
from nonocsp.grading.explain.html import candidate_texts, puzzle_data
from nonocsp.grading.explain.steps import change_records, told_cells
from nonocsp.grading.explain.texts import Words, filled, table
from nonocsp.grading.ladder.inference import Literal, Step
from nonocsp.grading.ladder.learning import Reason
from nonocsp.grading.ladder.rungs import BACKENDS, Ladder
from nonocsp.grading.one_line import ranges
from nonocsp.model import Line, Palette
from nonocsp.pages import LANGUAGES
from nonocsp.pages import filled as page_with

_SHOWN = 6
"""The most placements that a step lists."""
_COMPLETE = {"decide", "learn", "learn-decision", "unique"}
"""Steps whose sentence says everything."""


def records(climbed: Ladder, language: str = "en") -> list[dict[str, Any]]:
    """Return each rung as plain JSON values, with words in English or German (``de``)."""
    palette = climbed.puzzle.palette
    told, found = _Teller(palette, language), []
    for i, (rung, outcome) in enumerate(zip(climbed.rungs, climbed.outcomes, strict=True)):
        name, about = told.table["methods"][rung.method]
        found.append(
            {
                "method": rung.method,
                "name": name,
                "about": about,
                "known": rung.known,
                "cells": rung.end.candidates.size,
                "grid": rung.end.strings(palette),
                "derives": told.news(climbed.news[i]),
                "cannot": told.text(climbed.limits[i]),
                "backend": BACKENDS[rung.method],
                "answer": str(outcome.answer),
                "search": told.searched(outcome),
                "wall_s": outcome.wall_s,
                "stats": dict(outcome.stats),
                "steps": [told.record(step) for step in rung.steps],
            }
        )
    return found


def to_html(climbed: Ladder) -> str:
    """Return the page to play all rungs."""
    puzzle = climbed.puzzle
    starts = [candidate_texts(rung.start, puzzle.palette) for rung in climbed.rungs]
    rungs = {language: records(climbed, language) for language in LANGUAGES}
    data = puzzle_data(puzzle) | {"starts": starts, "rungs": rungs}
    title = f"{puzzle.title or 'Nonogram'}, the ladder of methods – nonocsp"
    return page_with("steps", data, title=title, without_script="<p>The ladder needs JavaScript.</p>")


class _Teller:
    """Says in one language what the steps on a puzzle of some colours are."""

    def __init__(self, palette: Palette, language: str) -> None:
        self.table, self._words, self._palette = (
            table(language, __package__),
            Words(palette, language),
            palette,
        )
        self._forms: dict[str, Callable[[Any], str]] = {
            **dict.fromkeys(("literal", "wrong", "first"), self._literal),
            **dict.fromkeys(("line", "row", "column"), self._words.line),
            **dict.fromkeys(("ways", "in_row", "in_column"), self._ways),
            "literals": lambda literals: self._words.listed([*map(self._literal, literals)]),
            "clause": lambda literals: self._words.listed([*map(self._literal, literals)], "or"),
            "chain": lambda pairs: " → ".join(map(self._because, pairs)),
            "resolved": lambda pairs: ", ".join(map(self._because, pairs)),
            "starts": self._starts,
        }

    def record(self, step: Step) -> dict[str, Any]:
        """Return a step as plain JSON values."""
        line = {"line": str(step.line)} if step.line else {}
        cells = change_records(step.changes, self._palette)
        return {"title": self._title(step), "text": self.text(step), **line, "cells": cells}

    def _title(self, step: Step) -> str:
        """Return the kind of a step, and its line, clause or first cell."""
        name, subject = str(self.table["steps"][step.why][0]), ""
        if step.line:
            subject = self._words.line(step.line)
        elif "clause" in step.facts:
            subject = self._forms["clause"](step.facts["clause"])
        elif step.changes:
            row, column, _, left = step.changes[0]
            subject = self._literal(Literal(row, column, left)) + ", …" * (len(step.changes) > 1)
        return f"{name}: {subject}" if subject else name

    def text(self, step: Step) -> str:
        """Return why, and what cells are now."""
        facts = {**step.facts, **({"line": step.line} if step.line else {})}
        told = {name: self._forms.get(name, str)(value) for name, value in facts.items()}
        said = filled(self.table["steps"][step.why][1], int(told.pop("n", 0)), **told)
        if not step.changes or step.why in _COMPLETE:
            return said
        if step.line and step.why != "probe-fails":
            now = told_cells(self._words, step.line, step.changes)
            return f"{said} {now[0].upper()}{now[1:]}."
        cells = [Literal(row, column, left) for row, column, _, left in step.changes]
        return f"{said} {self.table['so']} {self._forms['literals'](cells)}."

    def news(self, step: Step | None) -> str:
        """Return what the first step of a rung says that no rung before it takes."""
        return f"{self._title(step)}. {self.text(step)}" if step else str(self.table["nothing"])

    def searched(self, outcome: Outcome) -> str:
        """Return how much a backend searches, in nodes or conflicts; behind a ``>`` if it did not end."""
        kind = "nodes" if "nodes" in outcome.stats and "conflicts" not in outcome.stats else "conflicts"
        if kind not in outcome.stats:
            return str(self.table["search"]["none"])
        said = filled(self.table["search"][kind], int(outcome.stats[kind]))
        return said if outcome.termination is Termination.OK else f"> {said}"

    def _literal(self, literal: Literal) -> str:
        """Return a literal in short: ``r1c2=black``."""
        cell = filled(self.table["cell"], row=literal.row + 1, column=literal.column + 1)
        return f"{cell}={'|'.join(map(self._words.colour, colours_in(literal.colours)))}"

    def _because(self, pair: tuple[Literal, Reason]) -> str:
        literal, reason = pair
        name = self._words.line(reason) if isinstance(reason, Line) else self.table["learnt"]
        return f"{self._literal(literal)}{f' ({name})' if reason else ''}"

    def _ways(self, ways: Candidates) -> str:
        chars = self._palette.chars
        drawn = ["".join(chars[cell.bit_length() - 1] for cell in way) for way in ways[:_SHOWN].tolist()]
        return f"{', '.join(drawn)}{', …' * (len(ways) > _SHOWN)}"

    def _starts(self, starts: list[list[int]]) -> str:
        blocks = [filled(self.table["starts"], n, cells=ranges(cells)) for n, cells in enumerate(starts, 1)]
        return "; ".join(blocks) or str(self.table["no-blocks"])
