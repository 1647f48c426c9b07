"""The techniques over one line: sound by enumeration, and each finds what its name says."""

import re

import numpy as np
import pytest

from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.texts import table
from nonocsp.model import Clue, Palette
from tests import oracle

from .lines import LINE_TECHNIQUES, Line, findings

ONE_COLOUR = (0b01, 0b10, 0b11)
TWO_COLOURS = (0b001, 0b010, 0b100, 0b011, 0b101, 0b110, 0b111)
EXACT = [Technique.SETTLE]
PARTIAL = [technique for technique in LINE_TECHNIQUES if technique not in EXACT]


def after(line: Line, technique: Technique) -> list[int]:
    cells = list(line.cells)
    for finding in findings(technique, line):
        assert finding.why
        for i, kept in finding.cells.items():
            assert kept & line.cells[i] == kept != line.cells[i], "something new, and only less"
            cells[i] &= kept
    return cells


@pytest.mark.parametrize(
    ("length", "colours", "states", "sample"),
    [
        *((length, 1, ONE_COLOUR, 1) for length in range(1, 6)),
        (6, 1, ONE_COLOUR, 3),
        (8, 1, ONE_COLOUR, 1009),
        (1, 2, TWO_COLOURS, 1),
        (2, 2, TWO_COLOURS, 1),
        (3, 2, TWO_COLOURS, 3),
        (4, 2, TWO_COLOURS, 41),
        (5, 2, TWO_COLOURS, 2003),
    ],
)
def test_settle_makes_every_finding_of_a_technique(length, colours, states, sample):
    lines = oracle.all_states(length, states)
    palette = Palette.of(colours)
    for number, clue in enumerate(oracle.clues(length, colours)):
        settled = oracle.settle_all_states(clue, length, states)
        feasible = np.flatnonzero(settled.any(axis=1))[number % sample :: sample]
        for cells, known in zip(lines[feasible].tolist(), settled[feasible].tolist(), strict=True):
            line = Line(clue, tuple(cells), palette)
            for technique in PARTIAL:
                found = after(line, technique)
                kept = [a | b for a, b in zip(found, known, strict=True)]
                assert kept == found, (technique, clue, cells, found, known)
            assert after(line, Technique.SETTLE) == known, (clue, cells)


def test_techniques_are_sound_on_long_lines_too():
    rng = np.random.default_rng(41)
    for colours in (1, 2, 3):
        for _ in range(120):
            length = int(rng.integers(12, 40))
            cells = rng.integers(0, colours + 1, length) * (rng.random(length) < rng.uniform(0.3, 0.9))
            cells = np.repeat(cells, rng.integers(1, 4, length))[:length]
            clue = oracle.clue_of(cells.tolist())
            every = 2 ** (colours + 1) - 1
            shown = [1 << int(c) if rng.random() < 0.3 else every for c in cells]
            line, known = Line(clue, tuple(shown), Palette.of(colours)), oracle.settle(clue, shown)
            assert known is not None
            for technique in LINE_TECHNIQUES:
                assert all(a | b == a for a, b in zip(after(line, technique), known, strict=True)), technique


def drawn(text: str, palette: Palette) -> tuple[int, ...]:
    """Read a line: ``?`` is open, ``!`` is anything but background, ``^`` anything but the first colour."""
    sets = {char: 1 << i for i, char in enumerate(palette.chars)}
    every = 2 ** len(palette) - 1
    return tuple(({"?": every, "!": every & ~1, "^": every & ~2} | sets)[char] for char in text)


@pytest.mark.parametrize(
    ("technique", "clue", "before", "behind"),
    [
        ("finished", [], "?????", "....."),
        ("finished", [2, 1], "?##??#?", ".##..#."),
        ("finished", [2, 1], ".??.?.", ".##.#."),
        ("finished", [(1, 1), (2, 2)], "?#?a?", "^#^a^"),
        ("finished", [(1, 1), (2, 2)], "#?aa?", "#.aa."),
        ("fit", [3, 1], "?????", "###.#"),
        ("fit", [2, 2], ".?????.", ".##.##."),
        ("fit", [(2, 1), (2, 2)], "????", "##aa"),
        ("overlap", [7], "?" * 10, "???####???"),
        ("overlap", [3], "?.????", "?.?##?"),
        ("overlap", [(3, 1), (2, 2)], "??????", "?##?a?"),
        ("edge", [3], "#?????", "###.??"),
        ("edge", [1, 3], "?????.#??", "?????.###"),
        ("edge", [2, 3], "????????#", "?????.###"),
        ("glue", [4], "??#?????", "??##????"),
        ("glue", [4, 1], "??????.?#??", "??????.?#??"),
        ("glue", [5, 5], "?.??#??????????", "?.??###????????"),
        ("complete", [1, 2], "???#??##??", "??.#..##.?"),
        ("complete", [2, 2], "????##????", "???.##.???"),
        ("complete", [(2, 1), (1, 2)], "??##??", "?^##^?"),
        ("gap", [3], "??.?????", "...?????"),
        ("gap", [3, 2], "???.?.???", "???...???"),
        ("join", [4], "?#??#??", "?####??"),
        ("join", [4, 1], "?#?#???????", "?###???????"),
        ("split", [1, 1, 3], "?#?#??????", "?#.#??????"),
        ("reach", [3], "????#?????", "..??#??..."),
        ("reach", [2, 2], "?#???????#?", "?#?.....?#?"),
        ("anchor", [3, 4], "?????.?#????", "??#??.?###??"),
        ("anchor", [5], "???#???.", "??###??."),
        ("settle", [1, 1], "?#?????", ".#.????"),
    ],
)
def test_a_technique_finds_its_example(technique, clue, before, behind):
    one_colour = all(isinstance(block, int) for block in clue)
    palette = Palette.of(1 if one_colour else 2)
    found = after(Line(Clue.of(*clue), drawn(before, palette), palette), Technique(technique))
    known = "!^?" + palette.chars
    chars = dict(zip(drawn(known, palette), known, strict=True))
    assert "".join(chars[cell] for cell in found) == behind


@pytest.mark.parametrize(
    ("technique", "clue", "before", "why"),
    [
        ("finished", [2], "?##?", "all its blocks are found"),
        ("finished", [], "???", "the line has no blocks"),
        ("finished", [3], ".??#", "the blocks need all the cells that are left"),
        ("fit", [2, 1], "????", "the blocks and the gaps between them take all 4 cells"),
        ("fit", [2, 1], ".??.?", "between the walls there is only one way to lay the blocks"),
        ("join", [1, 3], "#??#?#", "the runs at 4 and 6 are both of the 3"),
        ("settle", [2, 1], "????", "only one placement of all its blocks fits"),
        ("settle", [3], "????", "all 2 placements of its blocks that fit agree on it"),
    ],
)
def test_a_finding_gives_its_reason(technique, clue, before, why):
    line = Line(Clue.of(*clue), drawn(before, Palette.of(1)), Palette.of(1))
    assert [finding.why for finding in findings(Technique(technique), line)] == [why]


@pytest.mark.parametrize("language", ["en", "de"])
def test_both_languages_have_the_same_sentences_with_the_same_names(language):
    def names(texts: object) -> object:
        if isinstance(texts, dict):
            return {key: names(value) for key, value in texts.items()}
        return sorted(re.findall(r"\{\w+\}", str(texts)))

    kept = [key for key in table() if key not in ("colours", "ordinal")]
    assert {key: names(table(language)[key]) for key in kept} == {key: names(table()[key]) for key in kept}
    assert [*table(language)["techniques"]] == [*Technique]
