"""JSON of many programs: read as the one puzzle that it can be, or refused with the place."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from nonocsp.model import NonocspError, Puzzle
from tests.formats import json_samples

Read = Callable[..., list[Puzzle]]
BASE = Puzzle.from_clues(json_samples.ROWS, json_samples.COLUMNS)
COLOURED = Puzzle.from_clues([[(2, 1), (1, 2)], [(3, 2)]], [[(1, 1), (1, 2)], [(1, 1), (1, 2)], [(2, 2)]])


def test_one_puzzle_in_the_json_of_many_programs(read: Read) -> None:
    variants = list(json_samples.read())
    assert len(variants) > 300
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, document, has_goal in variants:
            try:
                (puzzle,) = read(json.dumps(document), name="cat.json")
            except NonocspError as error:
                raise AssertionError(f"{name}: {error}") from error
            assert (puzzle.rows, puzzle.columns) == (BASE.rows, BASE.columns), name
            assert (puzzle.goal.strings(puzzle.palette) if puzzle.goal else None) == (
                json_samples.PICTURE if has_goal else None
            ), name


def test_colours_in_the_json_of_many_programs(read: Read) -> None:
    for name, document in json_samples.coloured():
        try:
            (puzzle,) = read(json.dumps(document), name="cat.json")
        except NonocspError as error:
            raise AssertionError(f"{name}: {document} {error}") from error
        assert puzzle.canonical_hash == COLOURED.canonical_hash, name


@pytest.mark.parametrize(("document", "message"), json_samples.REFUSED, ids=str)
def test_what_may_mean_two_things_or_nothing_is_refused_with_its_place(
    read: Read, document: Any, message: str
) -> None:
    with pytest.raises(NonocspError) as error:
        read(json.dumps(document), name="cat.json")
    assert message in str(error.value)
