"""The core for browsers answers as the native one does, frees what it takes, and is built reproducibly."""

import hashlib
import json
import subprocess
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from numpy.typing import NDArray

import nonocsp
from nonocsp import Palette, Puzzle
from nonocsp.backends.base import Answer
from nonocsp.certificates.document import Claim
from nonocsp.certificates.verifier import verify
from nonocsp.engine import LineSolver, Order, grading
from nonocsp.engine.searches import ambiguous_cells
from nonocsp.formats.codecs.data.json_files import encode
from nonocsp.grading.context import ambiguity
from nonocsp.grading.explain.steps import steps_of, walked
from nonocsp.grading.levels import effort
from nonocsp.making.judging import ImageJudge
from nonocsp.model import Colour, Grid
from nonocsp.testing import n_dom
from nonocsp.testing.puzzles import SMALL_IN_COLOUR

CONFLICTS = 300
ANSWERS = {"none": Answer.UNSAT, "one": Answer.UNIQUE, "several": Answer.MULTIPLE}
SAMPLE = 25


def record_of_clues(puzzle: Puzzle) -> dict[str, Any]:
    lines = {
        side: [[(block.length, block.colour) for block in clue] for clue in clues]
        for side, clues in (("rows", puzzle.rows), ("columns", puzzle.columns))
    }
    rows, columns = puzzle.shape
    size = {"rows": rows, "columns": columns, "colours": len(puzzle.palette)}
    return {**size, "clues": lines, "conflicts": CONFLICTS}


def record_of_image(cells: NDArray[np.uint8], colours: int) -> dict[str, Any]:
    rows, columns = cells.shape
    return {
        "rows": rows,
        "columns": columns,
        "colours": colours,
        "cells": cells.ravel().tolist(),
        "conflicts": 10_000,
    }


def images(count: int, most_colours: int, seed: int) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Yield images of up to 12 x 12 cells in patches, with their numbers of colours."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        rows, columns = (int(side) for side in rng.integers(2, 13, 2))
        colours = int(rng.integers(2, most_colours + 1))
        patches = rng.integers(1, colours, (rows, columns)) * (rng.random((rows, columns)) < 0.6)
        cells = np.where(rng.random((rows, columns)) < 0.5, np.roll(patches, 1, axis=1), patches)
        yield cells.astype(np.uint8), colours


def puzzle_of(cells: NDArray[np.uint8], colours: int) -> Puzzle:
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours - 1))


def check_against_native(puzzle: Puzzle, found: dict[str, Any], conflicts: int) -> None:
    solver = LineSolver(puzzle)
    swept = solver.propagate(order=Order.SWEEPS)
    assert found["sweeps"] == swept.sweeps
    if swept.contradiction is None:
        assert found["known"] == swept.candidates.ravel().tolist()
    cells, is_complete = ambiguous_cells(solver.compiled, conflicts, None, None)
    assert found["isComplete"] == is_complete
    assert found["ambiguous"] == cells.ravel().tolist()
    if found["solutions"] != "unknown":
        assert ANSWERS[found["solutions"]] is nonocsp.solve(puzzle).answer
    for name in ("solution", "other"):
        if found[name]:
            assert nonocsp.verify(puzzle, Grid.from_cells(np.reshape(found[name], puzzle.shape)))


def test_its_certificates_verify(node, core_module, repository, tmp_path):
    flat = [*nonocsp.load_all(repository / "datasets" / "pictures" / "pictures.jsonl")]
    hard = [*nonocsp.load_all(repository / "datasets" / "tcga" / "unique.txt"), n_dom(6), *SMALL_IN_COLOUR]
    solved = [(puzzle, nonocsp.solve(puzzle)) for puzzle in (*flat[::5], *hard)]
    puzzles = [
        Puzzle.from_grid(outcome.solutions[0], palette=puzzle.palette, title=f"{puzzle.title} \x7f ä 😀")
        for puzzle, outcome in solved
        if outcome.answer is Answer.UNIQUE
    ]
    script = repository / "tests" / "web" / "certificate.ts"
    subprocess.run(
        [node, str(script), str(core_module), str(tmp_path)],
        input="\n".join(json.dumps(encode(puzzle)) for puzzle in puzzles).encode(),
        check=True,
    )
    for number, puzzle in enumerate(puzzles):
        folder = tmp_path / str(number)
        with ZipFile(tmp_path / f"{number}.zip") as archive:
            archive.extractall(folder)
        found = verify(next(folder.glob("*.json")))
        assert found, (puzzle.title, found.fault)
        assert found.claim is Claim.UNIQUE
        assert found.puzzle.canonical_hash == puzzle.canonical_hash


def test_it_judges_tournament_puzzles_as_the_native_core_does(judge, repository, is_full):
    path = repository / "datasets" / "tcga" / "tcga-2026.txt.gz"
    puzzles = list(nonocsp.load_all(path))[:: 1 if is_full else 1000 // SAMPLE]
    found = judge([record_of_clues(puzzle) for puzzle in puzzles])
    assert len(found) == len(puzzles)
    for puzzle, one in zip(puzzles, found, strict=True):
        check_against_native(puzzle, one, CONFLICTS)


def test_it_judges_coloured_drawings_as_the_native_core_does(judge, is_full):
    drawings = list(images(300 if is_full else SAMPLE, 6, seed=1))
    for (cells, colours), found in zip(
        drawings, judge([record_of_image(*drawing) for drawing in drawings]), strict=True
    ):
        puzzle = puzzle_of(cells, colours)
        assert found["isComplete"]
        assert found["solution"] == cells.ravel().tolist()
        assert found["ambiguous"] == ambiguity(puzzle).cells.ravel().tolist()
        assert ANSWERS[found["solutions"]] is nonocsp.solve(puzzle).answer
        assert found["sweeps"] == LineSolver(puzzle).propagate(order=Order.SWEEPS).sweeps


def test_the_repair_map_says_what_every_change_does(judge, is_full):
    drawings = [
        (cells, colours)
        for cells, colours in images(60 if is_full else 12, 4, seed=2)
        if cells.size <= 64 and not is_simple(puzzle_of(cells, colours))
    ]
    assert drawings
    effects = set[int]()
    for (cells, colours), found in zip(
        drawings, judge([record_of_image(*drawing) for drawing in drawings]), strict=True
    ):
        is_unique = found["solutions"] == "one"
        for (row, column), colour in (
            (cell, colour) for cell in np.ndindex(cells.shape) for colour in range(colours)
        ):
            effect = found["effects"][(row * cells.shape[1] + column) * colours + colour]
            changed = cells.copy()
            changed[row, column] = colour
            puzzle = puzzle_of(changed, colours)
            expected = 0
            if is_simple(puzzle):
                expected = 3
            elif nonocsp.solve(puzzle).answer is Answer.UNIQUE and not is_unique:
                expected = 2
            assert effect == expected, (cells, row, column, colour)
            effects.add(effect)
    assert effects >= {0, 3}


def is_simple(puzzle: Puzzle) -> bool:
    return bool((np.bitwise_count(LineSolver(puzzle).propagate().candidates) == 1).all())


def test_the_best_change_is_that_of_adapt(judge):
    drawings = [(cells, colours) for cells, colours in images(20, 3, seed=3) if (cells == 0).any()]
    for (cells, colours), found in zip(
        drawings, judge([record_of_image(*drawing) for drawing in drawings]), strict=True
    ):
        places = np.argwhere(cells == 0)
        changes = np.column_stack([places, np.ones(len(places))]).astype(np.int32)
        costs = places[:, 1] / cells.shape[1]
        image_judge = ImageJudge(Palette.of(colours - 1), 1)
        best = image_judge.best_change(image_judge.trials(cells), changes, costs, 1.0)
        assert found["best"] == best


def test_a_hint_is_the_next_step_or_names_what_is_wrong(judge):
    cells = np.array([[1, 1, 1], [0, 1, 0], [0, 1, 0]], np.uint8)
    grids = [[3] * 9, [3, 3, 3, 2, 3, 3, 3, 3, 3]]
    empty, mistaken = (
        found["hint"] for found in judge([{**record_of_image(cells, 2), "grid": grid} for grid in grids])
    )
    [step] = empty["steps"]
    assert (step["technique"], step["line"]) == ("finished", ["row", 0])
    assert step["changes"] == [[0, column, [0, 1], [1]] for column in range(3)]
    assert (mistaken["wrong"], mistaken["steps"]) == ([[1, 0]], [])


def explanations(count: int) -> Iterator[Puzzle]:
    """Yield puzzles with one and more colours, some with several solutions, and one without."""
    yield from SMALL_IN_COLOUR
    yield n_dom(4)
    yield Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []])
    for cells, colours in images(count, 5, seed=5):
        yield puzzle_of(cells, colours)


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_explains_in_the_words_of_the_native_core(judge, is_full, language):
    puzzles = list(explanations(200 if is_full else 30))
    given = [
        record_of_clues(puzzle)
        | {"palette": [vars_of(colour) for colour in puzzle.palette.colours], "language": language}
        for puzzle in puzzles
    ]
    techniques = set[str]()
    for puzzle, found in zip(puzzles, judge(given), strict=True):
        walk = walked(puzzle, Grid.unknown(*puzzle.shape, puzzle.palette))
        steps = list(steps_of(puzzle, walk["steps"], language))
        assert found["steps"] == [step.record(puzzle.palette) for step in steps]
        measured, _, _ = grading.effort(LineSolver(puzzle).compiled, None, None)
        assert found["effort"] == measured
        techniques.update(step.technique for step in steps)
        if language == "en":
            explanation = nonocsp.explain(puzzle)
            assert found["titles"] == [step.title for step in explanation.steps]
            assert found["ending"] == explanation.summary
            assert found["reasons"] == effort(puzzle).reasons
            assert (found["effort"]["contradiction"] is None) == (walk["contradiction"] is None)
    assert techniques > {"colours", "overlap", "edge", "settle", "probe"}


def vars_of(colour: Colour) -> dict[str, str]:
    return {"name": colour.name, "char": colour.char}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cells": [1, 0, 9, 0]}, "a cell has an unknown colour"),
        ({"rows": 0}, "a puzzle has 1 to 1000 rows and columns"),
        ({"colours": 65}, "a puzzle has 2 to 64 colours"),
    ],
)
def test_a_drawing_that_is_none_is_refused_with_a_reason(judge, change, reason):
    good = record_of_image(np.eye(2, dtype=np.uint8), 2)
    refused, fine = judge([{**good, **change}, good])
    assert reason in refused["error"]
    assert fine["solutions"] == "several"


def test_the_same_sources_give_the_same_bytes(core_module, tmp_path, is_full, monkeypatch):
    if not is_full:
        pytest.skip("compiles everything again, in another folder: make studio-test does")
    import shutil

    from tools.studio import core

    copied = tmp_path / "cpp"
    shutil.copytree(core.CPP, copied)
    monkeypatch.setattr(core, "CPP", copied)
    monkeypatch.setattr(core, "FOLDER", tmp_path / "made")
    monkeypatch.setattr(core, "MODULE", tmp_path / "made" / "nonocsp.wasm")
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (core_module, core.build_core())}
    assert len(digests) == 1
