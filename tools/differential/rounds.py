"""Rounds: a task for all puzzles, and for each backend one choice of its options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.backends.registry import OptionHelp, canonical_spec, info
from nonocsp.model import UsageError

BOUND = 20
"""Puzzles with fewer solutions are compared by their whole sets of solutions."""
LEAST = 0.25
"""How often a number takes its minimum instead of its default."""


@dataclass(frozen=True, slots=True)
class Round:
    """The request of a round and its backends."""

    seed: tuple[int, int]  # the run's seed and the number of the round
    request: Request
    specs: Sequence[str]  # one a backend

    def __str__(self) -> str:
        """Return the options that repeat the round."""
        return f"--seed {self.seed[0]} --first-round {self.seed[1]}"


def rounds(seed: int, specs: Sequence[str], wall: float, first: int = 0) -> Iterator[Round]:
    """Yield rounds without end: the tasks in turn, and after the first three any options."""
    tasks = list(Task)
    number = first
    while True:
        random = np.random.default_rng((seed, number, 1))
        chosen = specs if number < len(tasks) else [varied(spec, random) for spec in specs]
        request = Request(tasks[number % len(tasks)], Limits(wall=wall), seed=number, bound=BOUND)
        yield Round((seed, number), request, chosen)
        number += 1


def varied(spec: str, random: np.random.Generator) -> str:
    """Return the spec with random compatible options, or unchanged if it has options."""
    if ":" in spec:
        return spec
    options = info(spec).options()
    while True:
        values = ((option.name, random_value(option, random)) for option in options)
        text = ",".join(f"{name}={value}" for name, value in values if value)
        with suppress(UsageError):
            return canonical_spec(f"{spec}:{text}")


def random_value(option: OptionHelp, random: np.random.Generator) -> str:
    """Return one of an option's words, a number's default or minimum, or else the default."""
    if "|" in option.type:
        return str(random.choice(option.type.split("|")))
    _, is_bounded, least = option.type.partition(">= ")
    return least if is_bounded and random.random() < LEAST else option.default
