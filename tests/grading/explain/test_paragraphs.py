"""Steps as text: they fit their width, and the line is drawn as it was and as it is."""

import pytest

from nonocsp import Puzzle
from nonocsp.grading.explain import explain
from nonocsp.grading.explain.paragraphs import ending_text, steps_text
from nonocsp.testing.puzzles import SMALL

WIDE = Puzzle.from_clues([[20, 30, 40]], [[1]] * 20 + [[]] + [[1]] * 30 + [[]] + [[1]] * 40)


@pytest.mark.parametrize("width", [40, 79])
def test_text_fits_its_width_for_lines_of_any_length(width):
    explanation = explain(WIDE)
    for text in (*steps_text(explanation, width=width), ending_text(explanation, width=width)):
        assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(
    ("width", "drawn"),
    [
        (400, ["?" * 92 + " → " + "#" * 20 + "." + "#" * 30 + "." + "#" * 40]),
        (98, ["?" * 92, "#" * 20 + "." + "#" * 30 + "." + "#" * 40]),
        (
            66,
            [
                "columns 1 to 60",
                "?" * 60,
                "#" * 20 + "." + "#" * 30 + "." + "#" * 8,
                "columns 61 to 92",
                "?" * 32,
                "#" * 32,
            ],
        ),
    ],
)
def test_the_line_before_and_after_is_drawn_if_it_fits(width, drawn):
    fit = next(step for step in steps_text(explain(WIDE), width=width) if "fit in row 1" in step)
    lines = [line.strip() for line in fit.splitlines()]
    assert lines[1 : 1 + len(drawn)] == drawn


def test_a_probe_is_drawn_with_the_row_of_its_cell():
    puzzle = next(puzzle for puzzle in SMALL if puzzle.title == "unique, not simple")
    explanation = explain(puzzle)
    first, text = explanation.steps[0], next(steps_text(explanation))
    assert f"row {first.changes[0].row + 1}: ???? → " in text
    assert "were black, then," in " ".join(text.split()) or "were white, then," in " ".join(text.split())
