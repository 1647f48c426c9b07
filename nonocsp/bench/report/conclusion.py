"""Say in a few sentences who wins a campaign: by how much, with what certainty, and where not.

The sentences come from the same figures as the tables: ranks by PAR-2, ratios with their bootstrap intervals,
and Wilcoxon's test, corrected for the number of comparisons. What they do not say is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nonocsp.backends.base import Termination
from nonocsp.bench.report import figures
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.scoring import Change, Pair, Runs, classes, incomplete, pairwise
from nonocsp.bench.scoring.runs import TERMINATIONS
from nonocsp.bench.scoring.significance import TESTABLE, is_significant

NAMED = 4
"""The most backends that a sentence names."""
_IN_TIME = [TERMINATIONS.index(it) for it in (Termination.OK, Termination.WALL, Termination.CPU)]
EXCEPTIONS = 2
"""The most classes of puzzles that are named where the winner does not lead."""


def conclusion(runs: Runs, pairs: Sequence[Pair]) -> list[str]:
    """Return who wins a campaign and where not, which methods are incomplete, and which backends failed."""
    if not runs.is_decided.any():
        puzzles = many(len(np.unique(runs.puzzle_of)), "puzzle")
        return [f"No conclusion: no backend decided any of the {puzzles}.", *_reservations(runs)]
    return [*_winner(runs, pairs), *_reservations(runs)]


def leader(runs: Runs, pairs: Sequence[Pair]) -> str | None:
    """Return the backend that wins, or the only one that can; None if `conclusion` names no winner."""
    names = _contenders(runs)
    if not names or not runs.is_decided.any():
        return None
    has_rivals = len(names) > 1
    return None if has_rivals and _doubt(runs, names, _rivals(pairs, names)) else names[0]


def changed(before: str, after: str, changes: Sequence[Change]) -> str:
    """Return what a comparison of two campaigns, given by their labels, found."""
    verdicts = {"regression": "slower or weaker", "improvement": "better", "undecided": "not decided"}
    told = []
    for verdict, words in verdicts.items():
        if names := [change.backend for change in changes if change.verdict == verdict]:
            told.append(f"{words}: {_listed(names)}")
    return f"From {shortened(before)} to {shortened(after)}, {'; '.join(told) or 'nothing changed'}."


def many(count: int, noun: str) -> str:
    """Return a number with a noun: ``1 puzzle``, ``3 puzzles``."""
    return f"{figures.count(count)} {noun}{'s' * (count != 1)}"


def _winner(runs: Runs, found: Sequence[Pair]) -> Iterator[str]:
    """Yield who wins, and where not."""
    names = _contenders(runs)
    if incomplete(runs).all():
        yield "No winner: all backends are incomplete methods."
    elif not names:
        yield "No conclusion yet: no backend has run all puzzles, and only those that have can win."
    elif len(names) == 1:
        only = "there is no other backend to compare with"
        if len(runs.backends) > 1:
            only = "no other complete method has run all puzzles"
        yield f"{_name(names[0])} {_decided(runs, names[0])}; {only}."
    else:
        pairs = _rivals(found, names)
        if doubt := _doubt(runs, names, pairs):
            yield doubt
            return
        yield f"{_name(names[0])} wins: it {_decided(runs, names[0])}. {_behind(pairs[0], runs)}"
        yield from _exceptions(runs, names[0], names[1:])


def _contenders(runs: Runs) -> list[str]:
    """Return the complete methods that have run everything."""
    can_win = runs.has_run.all(axis=1) & ~incomplete(runs)
    return [name for name, is_it in zip(runs.backends, can_win, strict=True) if is_it]


def _rivals(pairs: Sequence[Pair], names: Sequence[str]) -> list[Pair]:
    """Return the comparisons of the first backend with each other one, as far as there are any."""
    return [pair for name in names[1:] if (pair := _pair(pairs, names[0], name))]


def _doubt(runs: Runs, names: Sequence[str], pairs: Sequence[Pair]) -> str:
    """Return why the first of some backends, that with the least PAR-2, does not win; empty if it does."""
    best, *others = names
    decided = _decided(runs, best)
    if not pairs:
        return f"{_name(best)} {decided} and has the least PAR-2; --pair tests whether it leads."
    if more := next((name for name in others if _count(runs, name) > _count(runs, best)), ""):
        rival = f"{_name(more)} {_decided(runs, more)}"
        return f"No clear winner: {_name(best)} has the least PAR-2, but {decided}; {rival}."
    if faster := next((it for it in pairs if _is_significant(it) and it.losses > it.wins), None):
        often = f"better on {faster.losses} of {faster.instances}"
        p_value = figures.p_value(faster.corrected_p_value)
        rival = f"{_name(faster.second)} is {often} (p {p_value})"
        return f"No clear winner: {_name(best)} {decided} and has the least PAR-2, but {rival}."
    return _level(runs, best, [pair for pair in pairs if not _is_ahead(pair)])


def _level(runs: Runs, best: str, level: Sequence[Pair]) -> str:
    """Return that a backend is not told apart from others; empty if there are none."""
    if level and all(pair.p_value is None for pair in level):
        first = level[0]
        ahead = f"{_name(best)} is better than {_name(first.second)} on {first.wins} of {first.instances}"
        return (
            f"Too few puzzles to name a winner: {ahead}; a test needs {TESTABLE} puzzles whose times differ."
        )
    if len(level) == 1:
        return _two_level(runs, level[0])
    if level:
        rivals = _listed([pair.second for pair in level])
        leader = f"{_name(best)} {_decided(runs, best)}"
        return f"No clear winner: {leader}; that it comes before {rivals} may be chance."
    return ""


def _two_level(runs: Runs, pair: Pair) -> str:
    """Return that two backends are not told apart; wins count puzzles, and the factor weighs slow runs."""
    names, of_second = f"{_name(pair.first)} and {_name(pair.second)}", _decided(runs, pair.second)
    if (pair.interval or (0.0, 1.0))[1] >= 1:
        return (
            f"No clear winner: {names} are not told apart. {_name(pair.second)} {of_second} and takes "
            f"{_times(pair)}."
        )
    p_value = figures.p_value(pair.corrected_p_value)
    return (
        f"No clear winner: puzzle by puzzle, {names} are not told apart, with {pair.wins} wins to "
        f"{pair.losses} (p {p_value}). On average, where long runs weigh more, {_name(pair.second)} takes "
        f"{_times(pair)}; it {of_second}."
    )


def _behind(pair: Pair, runs: Runs) -> str:
    """Say how far the second of a pair is behind: cut times are a bound, and failures tell no time."""
    told = f"The runner-up, {_name(pair.second)}, {_decided(runs, pair.second)}"
    first, second = (runs.backends.index(name) for name in (pair.first, pair.second))
    if _failures(runs, second):
        return (
            f"{told}; no time factor is given, because it failed in {many(_failures(runs, second), 'run')}."
        )
    is_bound = runs.is_decided[first].all() and not runs.is_decided[second].all()
    return f"{told} and takes {'at least ' * bool(is_bound)}{_times(pair)}."


def _times(pair: Pair) -> str:
    """Return how many times as long the second of a pair takes, with the interval of that factor."""
    if not pair.ratio:
        return "longer"
    text = f"{figures.ratio(1 / pair.ratio)} times as long"
    low, high = pair.interval or (0.0, 0.0)
    return f"{text} (95 % interval: {figures.ratio(1 / high)} to {figures.ratio(1 / low)})" if low else text


def _exceptions(runs: Runs, best: str, others: Sequence[str]) -> Iterator[str]:
    """Yield the classes of puzzles on which the winner does not lead, those where it is behind first."""
    place = runs.backends.index(best)
    chosen = [(place, runs.backends.index(other)) for other in others]
    slower, level = [], []
    for name, is_there in classes(runs).items():
        part = runs.of_instances(is_there)
        if len(np.unique(part.puzzle_of)) < TESTABLE:
            continue
        for pair in pairwise(part, chosen=chosen):
            where = f"On the class “{name}” ({many(pair.puzzles, 'puzzle')})"
            if _is_ahead(pair.turned()):
                slower.append(f"{where}, it is slower: {_times(pair.turned())} as {_name(pair.second)}.")
                break
            if not _is_ahead(pair):
                level.append(f"{where}, it and {_name(pair.second)} are not told apart.")
                break
    yield from [*slower, *level][:EXCEPTIONS]


def _reservations(runs: Runs) -> Iterator[str]:
    """Yield which methods are incomplete, and which backends failed."""
    if stopped := [name for name, is_it in zip(runs.backends, incomplete(runs), strict=True) if is_it]:
        what = "is an incomplete method, and is" if len(stopped) == 1 else "are incomplete methods, and are"
        yield f"{_listed(stopped)} {what} listed last."
    failures = [(name, _failures(runs, b)) for b, name in enumerate(runs.backends)]
    if failed := [f"{_name(name)} in {count}" for name, count in failures if count]:
        more = f" and {len(failed) - NAMED} more backends" if len(failed) > NAMED else ""
        yield f"Runs that failed: {', '.join(failed[:NAMED])}{more}."


def _pair(pairs: Sequence[Pair], first: str, second: str) -> Pair | None:
    """Return the comparison of two backends, turned so that `first` comes first."""
    for pair in pairs:
        if (pair.first, pair.second) == (first, second):
            return pair
        if (pair.second, pair.first) == (first, second):
            return pair.turned()
    return None


def _is_significant(pair: Pair) -> bool:
    return is_significant(pair.corrected_p_value)


def _is_ahead(pair: Pair) -> bool:
    """Return whether the first of a pair is better by more than chance: by the test and by the interval."""
    return _is_significant(pair) and (pair.ratio or 1.0) < 1 and (pair.interval or (0.0, 0.0))[1] < 1


def _failures(runs: Runs, b: int) -> int:
    """Return how many runs of a backend failed: ended neither by themselves nor at a limit of time."""
    return int((runs.has_run[b] & ~np.isin(runs.termination[b], _IN_TIME)).sum())


def _count(runs: Runs, backend: str) -> int:
    """Return how many runs of a backend are decided."""
    return int(runs.is_decided[runs.backends.index(backend)].sum())


def _decided(runs: Runs, backend: str) -> str:
    decided, count = _count(runs, backend), int(runs.has_run[runs.backends.index(backend)].sum())
    return f"decides all {count}" if decided == count else f"decides {decided} of {count}"


def _name(backend: str) -> str:
    return shortened(figures.one_line(backend), 60)


def _listed(names: Sequence[str]) -> str:
    """Return the names of backends, or the first ones and how many more there are."""
    shown = [*map(_name, names[:NAMED])]
    if len(names) > NAMED:
        shown.append(f"{len(names) - NAMED} more")
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
