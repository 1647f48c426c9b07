"""Put what the core finds into words. The sentences stand in texts.json, which pages read as well.

A sentence has names in braces for what it tells of. Where the number matters, there are two: ``one`` and
``other``. `web/src/core/words.ts` fills the same sentences for pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from nonocsp.model import Clue, Line, Palette

MOST_LINES = 6
"""The most lines that the text of a probe names."""
_NAME = re.compile(r"\{(\w+)\}")


def table(language: str = "en", package: str = __name__.rpartition(".")[0]) -> Any:
    """Return the sentences of a language, ``en`` or ``de``, by group and name."""
    return _read(package, "texts.json")[language]


@cache
def _read(package: str, name: str) -> Any:
    return json.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def filled(sentence: str | Mapping[str, str], number: int = 0, **values: object) -> str:
    """Return a sentence with its values."""
    if not isinstance(sentence, str):
        sentence = sentence["one" if number == 1 else "other"]
    return sentence.format_map({"n": number, **values})


class Words:
    """The words of one language, ``en`` or ``de``, for puzzles of one palette."""

    def __init__(self, palette: Palette, language: str = "en") -> None:
        self._palette = palette
        self._table = table(language)
        self._colours = _read(__name__.rpartition(".")[0], "colours.json").get(language, {})
        self._words = self._table["words"]

    def line(self, line: Line) -> str:
        """Return ``row 3``."""
        return filled(self._words[line.axis], line.position + 1)

    def title(self, technique: str, line: Line | None) -> str:
        """Return a technique and where it is applied: ``overlap in row 3``."""
        name = str(self._table["techniques"][technique][0])
        if line is None:
            return name
        sentence = self._words["against" if technique == "probe" else "in"]
        return filled(sentence, technique=name, line=self.line(line))

    def place(self, row: int, column: int) -> str:
        """Return ``row 3, column 5``."""
        lines = self.line(Line("row", row)), self.line(Line("column", column))
        return filled(self._words["place"], row=lines[0], column=lines[1])

    def cells(self, cells: Iterable[int]) -> str:
        """Return ``cell 4`` or ``cells 1–3, 7 and 9``, counted from 1."""
        shown = sorted(cells)
        return filled(self._words["cell"], len(shown), cells=_numbers(shown, self._words["and"]))

    def listed(self, texts: Sequence[str], word: Literal["and", "or"] = "and") -> str:
        """Return ``a, b and c``."""
        return _listed(texts, self._words[word])

    def colour(self, index: int) -> str:
        """Return the name of a colour."""
        name = self._palette[index].name
        return str(self._colours.get(name, name))

    def block(self, clue: Clue, index: int) -> str:
        """Return the name of a block: ``the 3``, ``the second red 3``."""
        block = clue[index]
        same = [i for i, other in enumerate(clue) if other == block]
        ranked = "-ranked" * (len(same) > 1)
        coloured = "-coloured" * (not self._palette.is_one_colour)
        rank = self.ordinal(same.index(index) + 1)
        sentence = self._words[f"block{ranked}{coloured}"]
        return filled(sentence, length=block.length, rank=rank, colour=self.colour(block.colour))

    def ordinal(self, number: int) -> str:
        """Return ``first`` for 1, ``21st`` for 21."""
        if number <= len(self._table["ordinals"]):
            return str(self._table["ordinals"][number - 1])
        is_teen = 10 <= number % 100 <= 20
        forms = self._table["ordinal"]
        return filled(forms.get("other" if is_teen else str(number % 10), forms["other"]), number)

    def reason(self, reason: Mapping[str, Any], clue: Clue, length: int, **values: str) -> str:
        """Return a reason as a clause without the full stop."""
        sentence = self._table["reasons"][reason["why"]]
        if not isinstance(sentence, str):
            sentence = sentence["one" if int(reason["count"]) == 1 else "other"]
        known = self._values(reason, clue, length)
        return _NAME.sub(
            lambda name: str(values[name[1]] if name[1] in values else known[name[1]]()), sentence
        )

    def more(self, count: int) -> str:
        """Return how many reasons there are besides."""
        return filled(self._words["more-reasons"], count)

    def trail(self, lines: Sequence[Line]) -> str:
        """Return the lines that lead to a contradiction, as the beginning of a clause; may be empty."""
        shown = [self.line(line) for line in lines[:MOST_LINES]]
        if more := len(lines) - len(shown):
            shown.append(filled(self._words["more-lines"], more))
        return filled(self._words["trail"], lines=self.listed(shown)) if shown else ""

    def predicate(self, cells: str, count: int, colours: Iterable[int], *, decides: bool) -> str:
        """Return what cells are now, or can no longer be: ``cells 4–6 are black``."""
        names = [self.colour(colour) for colour in colours]
        if decides:
            return filled(self._words["decided"], count, cells=cells, colour=names[0])
        return filled(self._words["excluded"], count, cells=cells, colours=self.listed(names, "or"))

    def shared(self, decided: int, narrowed: int) -> str:
        """Return what the colours that both lines of a cell have tell."""
        told = [filled(self._words["decides"], decided)] * (decided > 0)
        told += [filled(self._words["narrows"], narrowed)] * (narrowed > 0)
        return filled(self._words["shared"], told=self.listed(told))

    def _values(
        self, reason: Mapping[str, Any], clue: Clue, length: int
    ) -> dict[str, Callable[[], str | int]]:
        """Return what the names in a sentence stand for; the parameters are those of `reason`."""
        blocks, wall = reason["blocks"], reason["other_first"]
        return {
            "cells": lambda: self.cells(range(reason["first"], reason["last"] + 1)),
            "covered": lambda: _numbers(range(wall, reason["other_last"] + 1)),
            "a": lambda: reason["first"] + 1,
            "b": lambda: reason["other_first"] + 1,
            "wall": lambda: (
                filled(self._words["wall"], wall + 1) if 0 <= wall < length else self._words["edge"]
            ),
            "block": lambda: self.block(clue, blocks[0]),
            "next": lambda: self.block(clue, blocks[1]),
            "blocks": lambda: (
                self.listed([self.block(clue, j) for j in blocks], "or")
                if blocks
                else filled(self._words["any-block"], reason["block_count"])
            ),
            "owner": lambda: (
                self.block(clue, blocks[0])
                if blocks
                else filled(
                    self._words["least-block" if reason["is_least"] else "some-block"],
                    length=reason["length"],
                )
            ),
            "colour": lambda: self.colour(reason["colour"]),
            "background": lambda: self.colour(0),
            "count": lambda: f"{int(reason['count']):,}".replace(",", self._words["thousands"]),
        }


def _numbers(cells: Iterable[int], word: str = "and") -> str:
    """Return cells in order as ``1–3, 7 and 9``, counted from 1."""
    ranges: list[tuple[int, int]] = []
    for cell in cells:
        if ranges and ranges[-1][1] == cell - 1:
            ranges[-1] = ranges[-1][0], cell
        else:
            ranges.append((cell, cell))
    return _listed([str(a + 1) if a == b else f"{a + 1}–{b + 1}" for a, b in ranges], word)


def _listed(texts: Sequence[str], word: str) -> str:
    return f" {word} ".join(part for part in (", ".join(texts[:-1]), *texts[-1:]) if part)
