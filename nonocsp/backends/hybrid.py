"""Backend ``hybrid``: backtracking, probing, then learning from conflicts, guided by beliefs. The default.

Backtracking with line solving comes first, as long as it does not get stuck, then fully probing (Wu et al.,
An efficient approach to solving nonograms, IEEE Transactions on Computational Intelligence and AI in Games 5,
2013), as long as it pays. The rest goes to a search that learns clauses over cells and starts of blocks, with
lines that explain themselves when asked. Belief propagation over exact line marginals says which values to
try first. Complete, in any number of colours and any size.

It counts without enumerating: once two solutions are known, a sweep over the cells, with the states of the
lines that are begun, counts each independent component (`nonocsp/cpp/counting`).
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Literal

from annotated_doc import Doc

from nonocsp.backends.base import LISTED, Bounds, Run
from nonocsp.backends.in_core import MethodBackend
from nonocsp.backends.interruption import counted, memory_for_states
from nonocsp.engine import LineSolver, SolutionCounter, TooManyStates, searches
from nonocsp.engine.searches import Method
from nonocsp.model import Grid, Puzzle, UsageError, unknown

MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class HybridOptions:
    """Options of ``hybrid``."""

    backtracking: Annotated[bool, Doc("start with plain backtracking, up to a few dead ends")] = True
    budget: Annotated[
        int,
        Bounds(0),
        Doc(
            "number of probes on a board of 2500 cells or more, fewer on smaller ones in proportion, "
            "plus two for each candidate that they remove"
        ),
    ] = 100
    guidance: Annotated[
        Literal["none", "beliefs", "dives"],
        Doc("way to a first solution: none; likely values first; or dives along beliefs as well"),
    ] = "dives"
    clause_memory: Annotated[int, Bounds(1), Doc("MiB for learnt clauses; the search keeps the best")] = 256
    threads: Annotated[
        int, Bounds(1, 256), Doc("learning searches that race for one hard puzzle, each on a core of its own")
    ] = 1
    count_memory: Annotated[int, Bounds(1), Doc("MiB for the states of a count")] = 1024
    search: Annotated[
        str, Doc("parameters of the learning search, for experiments, such as decay=.9+restart=luby")
    ] = field(default="", metadata={"expert": True})

    def __post_init__(self) -> None:
        """Validate `search`, sort its parameters and leave out defaults, so that equal searches are equal."""
        if not self.search:
            return
        values = read_search(self.search)
        changed = [
            f"{parameter.name}={parameter.choices[int(value)] if parameter.choices else repr(value)}"
            for parameter in sorted(searches.search_parameters(), key=lambda parameter: parameter.name)
            if (value := values.get(parameter.name, parameter.default)) != parameter.default
        ]
        object.__setattr__(self, "search", "+".join(changed))


def read_search(text: str) -> dict[str, float]:
    """Return the parameters of the learning search that a text such as ``"decay=.9+restart=luby"`` sets.

    ``cpp/cdcl/options.hpp`` documents them. A value that has a name, such as ``luby``, comes by its number.
    UsageError lists the names, or says what value would fit.
    """
    if not text:
        return {}
    known = {parameter.name: parameter for parameter in searches.search_parameters()}
    values: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split("+"))):
        name, equals, given = map(str.strip, part.partition("="))
        if not equals:
            raise UsageError(f"search: {part!r} is not of the form name=value, such as decay=.9+restart=luby")
        if name not in known:
            raise unknown("search parameter", name, known)
        parameter = known[name]
        is_whole = isinstance(parameter.default, int)
        try:
            value = float(parameter.choices.index(given) if parameter.choices else given)
        except ValueError:
            value = math.nan
        if not parameter.least <= value <= parameter.most or (is_whole and value != int(value)):
            kind = "a whole number" if is_whole else "a number"
            bounds = f"{kind} from {parameter.least:g} to {parameter.most:g}"
            expected = "|".join(parameter.choices) or bounds
            raise UsageError(f"search parameter {name}={given} does not fit; expected {expected}")
        values[name] = int(value) if is_whole else value
    return values


class Hybrid(MethodBackend):
    """Probing, then learning from conflicts guided by beliefs."""

    Options = HybridOptions
    summary = "backtracking, probing, then a search that learns, guided by belief propagation"
    paper = "Wu et al. 2013 (probing); Marques-Silva & Sakallah 1996 (learning); made for nonocsp"

    def method(self, seed: int, proof: searches.ProofLog | None = None) -> Method:
        """Return the core's method, its dives ordered by the seed; a proof has one thread's derivations."""
        options = self.options
        return searches.search_by_hybrid(
            options.backtracking,
            options.budget,
            options.guidance,
            options.clause_memory * MEBIBYTE,
            seed,
            options.threads,
            read_search(options.search),
            proof,
        )

    def proving_method(self, seed: int, proof: searches.ProofLog) -> Method:
        """Return the core's method that writes a proof, in one thread."""
        return self.method(seed, proof)

    def count(self, puzzle: Puzzle, run: Run) -> Generator[Grid, None, int]:
        """Yield all solutions if they are few, else two; return their number."""
        search, found = self.search(puzzle, run), 0
        for grid in islice(search, 2):
            yield grid
            found += 1
        if found < 2:
            return found
        run.at_least = found
        memory = memory_for_states(run, self.options.count_memory)
        try:
            number = counted(SolutionCounter(LineSolver(puzzle).compiled, memory), run)
        except TooManyStates:
            for grid in islice(search, LISTED - 1):  # there may be few
                yield grid
                found += 1
            if found > LISTED:
                raise
            return found
        if number <= LISTED:
            yield from search
        return number
