"""Say in a few sentences who wins a campaign: by how much, with what certainty, and where not.

The sentences come from the same figures as the tables: ranks by PAR-2, ratios with their bootstrap intervals,
and Wilcoxon's test, corrected for the number of comparisons. What they do not say is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nonocsp.bench.report import figures
from nonocsp.bench.report.digest import Comparison, Digest
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.scoring import Pair, Runs, incomplete
from nonocsp.bench.scoring.significance import TESTABLE, is_significant

NAMED = 4
"""The most backends that a sentence names."""
EXCEPTIONS = 2
"""The most classes of puzzles that are named where the winner does not lead."""


def headline(digest: Digest) -> list[str]:
    """Return what a report concludes, a sentence or two each."""
    told = [*_unsound(digest)]
    if len(digest.parts) > 1:
        told += [*map(_changed, digest.comparisons)]
        return told or ["Campaigns side by side: whether they differ is tested only with a baseline."]
    if not digest.runs.is_decided.any():
        return [*told, "No backend decided a run."]
    return [*told, *_conclusion(digest), *_unfinished(digest)]


def _unsound(digest: Digest) -> Iterator[str]:
    wrong, contradictions = len(digest.wrong_runs), digest.contradictions.count
    if not digest.is_sound:
        yield (
            f"First settle which backend is wrong: {_many(wrong, 'wrong answer')}, "
            f"{_many(contradictions, 'contradiction')}."
        )


def _conclusion(digest: Digest) -> Iterator[str]:
    """Yield who wins, and where not."""
    runs = digest.runs
    is_able = ~incomplete(runs) & runs.has_run.all(axis=1)
    names = [name for name, is_rival in zip(runs.backends, is_able, strict=True) if is_rival]
    if not names:
        yield "No winner: every backend is incomplete or has not run all puzzles."
        return
    best, *others = names
    decided = _decided(runs, best)
    if not others:
        alone = "there is no other backend to compare with" if len(runs.backends) == 1 else "no other can win"
        yield f"{_name(best)} {decided}; {alone}."
        return
    pairs = {name: pair for name in others if (pair := _pair(digest.pairs, best, name))}
    level = [name for name in others if name in pairs and not _is_ahead(pairs[name])]
    faster = [pairs[name] for name in level if _is_ahead(pairs[name].turned())]
    more = [name for name in others if _count(runs, name) > _count(runs, best)]
    if more:
        yield (
            f"No clear winner: {_name(best)} {decided} and has the least PAR-2, but {_name(more[0])} "
            f"{_decided(runs, more[0])}."
        )
    elif not pairs:
        yield f"{_name(best)} {decided} and has the least PAR-2; --pair tests whether it leads."
    elif faster:
        yield (
            f"No clear winner: {_name(best)} {decided} and has the least PAR-2, but takes "
            f"{_times(faster[0].turned())} as {_name(faster[0].second)}, whose time-outs cost more."
        )
    elif level and all(pairs[name].p_value is None for name in level):
        yield (
            f"Too few puzzles to name a winner: {_name(best)} {decided} and comes first, but is not told "
            f"apart from {_listed(level)}. A test needs at least {TESTABLE} puzzles whose times differ."
        )
    elif level:
        yield (
            f"No clear winner: {_name(best)} {decided} and comes first, but its lead over {_listed(level)} "
            "may be chance."
        )
    else:
        yield f"{_name(best)} wins: it {decided}; {_behind(pairs[others[0]], runs)}."
    if pairs and not level and not more:
        yield from _exceptions(runs, best, others)


def _behind(pair: Pair, runs: Runs) -> str:
    """Say how far the second of a pair is behind."""
    decided = _decided(runs, pair.second)
    bound = "" if runs.is_decided[runs.backends.index(pair.second)].all() else "at least "
    return f"the next, {_name(pair.second)}, {decided} and takes {bound}{_times(pair)}"


def _times(pair: Pair) -> str:
    """Return how many times as long the second of a pair takes, with the interval of that factor."""
    if not pair.ratio:
        return "longer"
    text = f"{figures.ratio(1 / pair.ratio)} times as long"
    low, high = pair.interval or (0.0, 0.0)
    return f"{text} (95 %: {figures.ratio(1 / high)} to {figures.ratio(1 / low)})" if low else text


def _exceptions(runs: Runs, best: str, others: Sequence[str]) -> Iterator[str]:
    """Yield the classes of puzzles on which the winner does not lead, those where it is behind first."""
    from nonocsp.bench.scoring import classes, pairwise

    place = runs.backends.index(best)
    chosen = [(place, runs.backends.index(other)) for other in others]
    slower, level = [], []
    for name, is_there in classes(runs).items():
        part = runs.of_instances(is_there)
        if len(np.unique(part.puzzle_of)) < TESTABLE:
            continue
        for pair in pairwise(part, chosen=chosen):
            if _is_ahead(pair.turned()):
                factor = f"{figures.ratio(pair.ratio)} times as long as {_name(pair.second)}"
                slower.append(f"On puzzles of the class “{name}” ({pair.puzzles}), it takes {factor}.")
                break
            if not _is_ahead(pair):
                lead = f"its lead over {_name(pair.second)} may be chance"
                level.append(f"On puzzles of the class “{name}” ({pair.puzzles}), {lead}.")
                break
    yield from [*slower, *level][:EXCEPTIONS]


def _unfinished(digest: Digest) -> Iterator[str]:
    """Yield what keeps figures from being final: incomplete methods, failures, missing runs, shared cores."""
    runs = digest.runs
    if stopped := [name for name, is_it in zip(runs.backends, incomplete(runs), strict=True) if is_it]:
        yield f"{_listed(stopped)} {_is(stopped)} incomplete, and listed last."
    if failed := [score for score in digest.scores if score.failed]:
        worst = max(failed, key=lambda score: score.failed)
        yield f"{_name(worst.backend)} failed in {worst.failed} of {_many(worst.runs, 'run')}."
    if missing := sum(part.missing for part in digest.parts):
        yield f"{_many(missing, 'run')} {'is' if missing == 1 else 'are'} still to be done."
    if disturbed := int((~digest.table["reliable"]).sum()):
        yield f"Times are provisional: {disturbed} of {_many(len(digest.table), 'run')} shared a core."


def _changed(comparison: Comparison) -> str:
    """Say what a comparison of two campaigns found."""
    verdicts = {"regression": "slower or weaker", "improvement": "better", "undecided": "not decided"}
    told = []
    for verdict, words in verdicts.items():
        if names := [change.backend for change in comparison.changes if change.verdict == verdict]:
            told.append(f"{words}: {_listed(names)}")
    found = "; ".join(told) or "nothing changed"
    return f"From {shortened(comparison.before)} to {shortened(comparison.after)}, {found}."


def _pair(pairs: Sequence[Pair], first: str, second: str) -> Pair | None:
    """Return the comparison of two backends, turned so that `first` comes first."""
    for pair in pairs:
        if (pair.first, pair.second) == (first, second):
            return pair
        if (pair.second, pair.first) == (first, second):
            return pair.turned()
    return None


def _is_ahead(pair: Pair) -> bool:
    """Return whether the first of a pair is better by more than chance: by the test and by the interval."""
    low_to_high = pair.interval or (0.0, 0.0)
    return is_significant(pair.corrected_p_value) and (pair.ratio or 1.0) < 1 and low_to_high[1] < 1


def _count(runs: Runs, backend: str) -> int:
    """Return how many runs of a backend are decided."""
    return int(runs.is_decided[runs.backends.index(backend)].sum())


def _decided(runs: Runs, backend: str) -> str:
    decided, count = _count(runs, backend), int(runs.has_run[runs.backends.index(backend)].sum())
    return f"decides all {count}" if decided == count else f"decides {decided} of {count}"


def _many(count: int, noun: str) -> str:
    return f"{figures.count(count)} {noun}{'s' * (count != 1)}"


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _name(backend: str) -> str:
    return shortened(figures.one_line(backend), 60)


def _listed(names: Sequence[str]) -> str:
    """Return the names of backends, or the first ones and how many more there are."""
    shown = [*map(_name, names[:NAMED])]
    if len(names) > NAMED:
        shown.append(f"{len(names) - NAMED} more")
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
