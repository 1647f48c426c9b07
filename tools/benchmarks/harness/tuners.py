"""Compare ways to find good options with few runs: successive halving, optuna, and chance.

``python -m tools.benchmarks tuners FOLDER`` reads a campaign in which a backend ran with all its options on
the same puzzles, and lets each tuner play with the recorded times, many times over. All have the budget of
runs that `nonocsp tune` takes, and start from the same random candidate. Regret is how much more the choice
costs on all puzzles than the best candidate. Optuna is no dependency: install it to have its lines.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from nonocsp.backends.registry import create, option_text
from nonocsp.bench.scoring import Runs
from nonocsp.bench.scoring.means import SHIFT_S, log_times, unshifted
from nonocsp.bench.scoring.runs import FloatArray
from nonocsp.bench.store import read_campaign
from nonocsp.bench.tuning.tuner import race, rounds

PENALTY = 2.0
Tuner = Callable[["Record", int, int], int]


class Record:
    """Recorded runs as a game: costs of candidates on puzzles, and the options of each.

    Parameters
    ----------
    folder
        Of the campaign; the first candidate is the one without options in its spec.
    """

    def __init__(self, folder: Path) -> None:
        runs = Runs.of(read_campaign(folder).table)
        order = np.argsort([len(spec) for spec in runs.backends], kind="stable")
        whole = runs.has_run.all(axis=0)
        self.specs = [runs.backends[b] for b in order]
        self.logs = log_times(runs.cost_s(PENALTY)[order][:, whole], SHIFT_S)
        self.options = [_options(spec) for spec in self.specs]
        self.keys = list(self.options[0])
        self.values = {key: sorted({own[key] for own in self.options}) for key in self.keys}
        self.number = {tuple(own[key] for key in self.keys): b for b, own in enumerate(self.options)}

    def true_cost(self, candidate: int) -> float:
        """Return the cost of a candidate on all puzzles."""
        return float(unshifted(self.logs[candidate].mean()))


def _options(spec: str) -> dict[str, str]:
    options = create(spec).options
    return {name: option_text(getattr(options, name)) for name in options.__dataclass_fields__}


def _train(record: Record, seed: int) -> FloatArray:
    """Return the costs on a random half of the puzzles, shape (candidates, puzzles)."""
    puzzles = record.logs.shape[1]
    return record.logs[:, np.random.default_rng(seed).permutation(puzzles)[: puzzles // 2]]


def _order(record: Record, seed: int) -> list[int]:
    """Return the candidates by chance; the first is the one that a game starts from."""
    return np.random.default_rng([seed, 1]).permutation(len(record.specs)).tolist()


def budget(candidates: int, puzzles: int) -> int:
    """Return the runs of a race, without those that a round shares with the one before.

    Parameters
    ----------
    candidates, puzzles
        As those of `rounds`.
    """
    before, total = 0, 0
    for one in rounds(candidates, puzzles):
        total += one.candidates * (one.puzzles - before)
        before = one.puzzles
    return total


def halving(record: Record, seed: int, candidates: int) -> int:
    """Return the choice of `nonocsp tune`."""
    train = _train(record, seed)
    chosen = _order(record, seed)[:candidates]
    names = [str(b) for b in chosen]
    found = race(names, train.shape[1], lambda own, k: [train[int(b), :k].mean() for b in own])
    return int(min((one for one in found if one.round == found[0].round), key=lambda one: one.cost_s).spec)


def by_chance(record: Record, seed: int, candidates: int) -> int:
    """Return the best of as many candidates on all training puzzles as the budget allows."""
    train = _train(record, seed)
    most = budget(candidates, train.shape[1]) // train.shape[1]
    return int(min(_order(record, seed)[:most], key=lambda b: train[b].mean()))


def tpe(record: Record, seed: int, candidates: int, *, prunes: bool) -> int:
    """Return the choice of optuna's TPE; with pruning, by its own successive halving.

    Parameters
    ----------
    record, seed, candidates
        As for the others.
    prunes
        Whether a trial stops early if it does worse than others.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    train = _train(record, seed)
    left, puzzles = budget(candidates, train.shape[1]), train.shape[1]
    steps = [one.puzzles for one in rounds(candidates, puzzles)]
    pruner = (
        optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=3)
        if prunes
        else optuna.pruners.NopPruner()
    )
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed), pruner=pruner)
    study.enqueue_trial(record.options[_order(record, seed)[0]])
    whole: dict[int, float] = {}
    known: dict[int, int] = {}
    for _ in range(10 * candidates):  # a candidate that comes again costs nothing
        trial = study.ask()
        own = tuple(trial.suggest_categorical(key, record.values[key]) for key in record.keys)
        candidate = record.number.get(own)
        if candidate is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            continue
        is_pruned = False
        for number, size in enumerate(steps, start=1):
            left -= max(0, size - known.get(candidate, 0))
            if left < 0:
                break
            known[candidate] = max(size, known.get(candidate, 0))
            trial.report(float(train[candidate, :size].mean()), number)
            if size < puzzles and trial.should_prune():
                is_pruned = True
                break
        if left < 0:
            break
        if is_pruned:
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)
        else:
            whole[candidate] = float(train[candidate].mean())
            study.tell(trial, whole[candidate])
    return min(whole, key=whole.__getitem__)


def main(folder: Path, repeats: int = typer.Option(100, min=1), candidates: int = 28) -> None:
    """Print the regret of each tuner.

    Parameters
    ----------
    folder
        Of the recorded campaign.
    repeats
        Games of each tuner.
    candidates
        As those of ``nonocsp tune``; they set the budget.
    """
    record = Record(folder)
    costs = np.array([record.true_cost(b) for b in range(len(record.specs))])
    puzzles = record.logs.shape[1]
    tuners: dict[str, Tuner] = {"successive halving": halving, "random search": by_chance}
    if find_spec("optuna"):
        tuners["optuna, TPE"] = lambda *game: tpe(*game, prunes=False)
        tuners["optuna, TPE with pruning"] = lambda *game: tpe(*game, prunes=True)
    table = Table("tuner", "mean regret", "90 % quantile", "found the best", "within 5 %")
    for name, tuner in tuners.items():
        found = np.array([costs[tuner(record, seed, candidates)] for seed in range(repeats)])
        regret = found / costs.min() - 1
        table.add_row(
            name,
            f"{regret.mean():.1%}",
            f"{np.quantile(regret, 0.9):.1%}",
            f"{(regret < 1e-9).mean():.0%}",
            f"{(regret < 0.05).mean():.0%}",
        )
    runs = budget(candidates, puzzles // 2)
    Console().print(
        f"{len(record.specs)} candidates on {puzzles} puzzles, half of them to train; {runs} runs, {repeats} "
        f"games; the median candidate has a regret of {np.median(costs) / costs.min() - 1:.0%}"
    )
    Console().print(table)
