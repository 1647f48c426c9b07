"""Backends whose statistics no file could hold."""

from __future__ import annotations

from typing import Any

from hostile.base import CRASHED, Hostile

from nonocsp.backends.base import Run
from nonocsp.model import Puzzle


class _Counts(Hostile):
    """Leaves statistics."""

    becomes = (CRASHED,)
    says = "statistic"

    def stats(self) -> dict[Any, Any]:
        raise NotImplementedError

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        run.stats.update(self.stats())


class CountsNaN(_Counts):
    """Has a statistic that is no number."""

    def stats(self) -> dict[Any, Any]:
        return {"nodes": float("nan")}


class CountsInfinity(_Counts):
    """Has an infinite statistic."""

    def stats(self) -> dict[Any, Any]:
        return {"nodes": float("-inf")}


class CountsTooFar(_Counts):
    """Has a statistic of 3000 digits."""

    def stats(self) -> dict[Any, Any]:
        return {"nodes": 10**3000}


class CountsInLists(_Counts):
    """Has a list as a statistic."""

    def stats(self) -> dict[Any, Any]:
        return {"nodes": [1, 2, 3]}


class CountsInBytes(_Counts):
    """Has bytes as a statistic."""

    def stats(self) -> dict[Any, Any]:
        return {"nodes": b"\xff"}


class CountsItself(_Counts):
    """Has statistics that contain themselves."""

    def stats(self) -> dict[Any, Any]:
        loop: dict[str, Any] = {}
        loop["nodes"] = loop
        return loop


class CountsSurrogates(_Counts):
    """Has half a character as a statistic."""

    def stats(self) -> dict[Any, Any]:
        return {"name": "\ud800"}


class NamesSurrogates(_Counts):
    """Has half a character in the name of a statistic."""

    def stats(self) -> dict[Any, Any]:
        return {"\udfff": 1}


class CountsInNovels(_Counts):
    """Has a text of 2 MiB as a statistic."""

    def stats(self) -> dict[Any, Any]:
        return {"story": "x" * (2 << 20)}


class CountsEverything(_Counts):
    """Has 10 000 statistics."""

    def stats(self) -> dict[Any, Any]:
        return {f"count {number}": number for number in range(10_000)}


class NamesNothing(_Counts):
    """Has a number as the name of a statistic."""

    def stats(self) -> dict[Any, Any]:
        return {5: 5}


class CountsWithoutADictionary(Hostile):
    """Puts a text in the place of its statistics."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        run.stats = "none"  # type: ignore[assignment]


class CountsInTricks(_Counts):
    """Has a number as a statistic that prints as something else, and a pickle that runs a command."""

    def stats(self) -> dict[Any, Any]:
        class Trick(int):
            def __repr__(self) -> str:
                return '1},"answer":"unique"'

            __str__ = __repr__

            def __reduce__(self) -> Any:
                import os

                return os.system, ("touch hacked",)

        class Colour(complex):
            __repr__ = Trick.__repr__

        return {"nodes": Trick(5), "colour": Colour(1)}
