"""Draw campaigns from the model of a session's noise, for `aa`: thousands of pairs, with known parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonocsp.bench.scoring.blocks import Blocks, Cells
from nonocsp.bench.scoring.runs import FloatArray

QUESTIONS = 10
CAP = 40
"""The most sessions of each version that anyone measures."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of logarithmic times, and more."""

    backends: int
    common: float  # of the factor of a session
    own: float  # of the factor of a backend in it
    run: float = 0.05  # of a run
    stray: float = 0.0  # share of runs that wait for a core, eight times as long
    memory: float = 0.0  # correlation of the factors of sessions that follow each other

    def __str__(self) -> str:
        more = f", {self.stray:.0%} of runs stray" if self.stray else ""
        more += f", memory {self.memory:g}" if self.memory else ""
        return f"{self.backends} backends: common {self.common:g}, own {self.own:g}, run {self.run:g}{more}"


def draw(noise: Noise, slower: float, rng: np.random.Generator) -> FloatArray:
    """Return log times of alternating sessions, shape (2 CAP, B, Q); the first backend changes."""
    sessions = 2 * CAP
    common = rng.normal(0.0, noise.common, sessions)
    for s in range(1, sessions):
        common[s] = noise.memory * common[s - 1] + np.sqrt(1.0 - noise.memory**2) * common[s]
    own = rng.normal(0.0, noise.own, (sessions, noise.backends))
    times = rng.normal(0.0, noise.run, (sessions, noise.backends, QUESTIONS))
    times += np.log(8.0) * (rng.random(times.shape) < noise.stray)
    times += common[:, np.newaxis, np.newaxis] + own[:, :, np.newaxis]
    times[1::2, 0] += np.log1p(slower)
    return times


def blocks(times: FloatArray) -> Blocks:
    """Return alternating sessions as blocks in which everything was decided."""
    is_after = np.arange(len(times)) % 2 == 1
    of_each = len(times) // 2
    block, question = np.indices((len(times), QUESTIONS)).reshape(2, -1)
    zeros = np.zeros(block.shape)
    backends = (
        Cells(is_after, QUESTIONS, block, question, own.ravel(), zeros, zeros) for own in times.swapaxes(0, 1)
    )
    return Blocks(is_after, (of_each, of_each), tuple(backends))
