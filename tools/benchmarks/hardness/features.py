"""Find out what makes a puzzle hard for each paradigm, and what a choice of backends by features would gain.

``python -m tools.benchmarks features`` runs the campaign of features.yaml in ``results/features``; what is
there is not run again, and ``--shard 1/4`` runs a quarter. It computes the features of all puzzles that have
their runs, fits forests, and writes data and figures to docs/results. ``--redraw`` draws the data that is
there. Puzzles of ``../shared`` enter only aggregated figures: the table holds our own.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from rich.console import Console
from rich.table import Table

from nonocsp.bench import Shard, load_config, run_campaign
from nonocsp.formats import save
from tools.benchmarks.hardness.extraction import FEATURES, GROUPS, TIERS
from tools.benchmarks.hardness.figures import draw_all
from tools.benchmarks.hardness.measured import Measured
from tools.benchmarks.hardness.models import Fit, fit
from tools.benchmarks.hardness.selection import ALONE, Account, accounts
from tools.benchmarks.pictures import KINDS, picture
from tools.benchmarks.puzzles import ROOT

CONFIG = Path(__file__).with_name("features.yaml")
DRAWN = ROOT / "results" / "features-drawn.jsonl"
SIZES = (20, 30, 40, 60)
PICTURES = {1: 4, 2: 2}
"""Pictures of each kind and size, by the number of their colours."""
OTHERS = "shared/"
"""How the names of puzzles begin that are not ours to publish."""


def main(
    config: Annotated[Path, typer.Argument(help="A campaign over other puzzles or backends.")] = CONFIG,
    results: Annotated[Path | None, typer.Option(help="Folder of the campaign's results.")] = None,
    output: Annotated[Path, typer.Option(help="Folder for data/ and figures/.")] = ROOT / "docs" / "results",
    shard: Annotated[str, typer.Option(help="Run only a part of the campaign, such as 1/3.")] = "",
    *,
    redraw: Annotated[bool, typer.Option("--redraw", help="Only draw the data that is there.")] = False,
) -> None:
    """Run, fit and draw, and print the tables."""
    if not redraw:
        _write(output / "data", _measured(config, results, shard))
    summary = json.loads((output / "data" / "features.json").read_text(encoding="utf-8"))
    fits = {name: Fit(**record) for name, record in summary["fits"].items()}
    portfolios = [Account(**record) for record in summary["portfolios"]]
    console = Console(width=130)
    for table in (_sets(summary["sets"]), _scores(fits), _portfolios(portfolios), _costs(summary["cost_ms"])):
        console.print(table)
    for path in draw_all(output / "figures", fits, portfolios, summary["limit_s"]):
        console.print(f"wrote {path}")


def _measured(path: Path, results: Path | None, shard: str) -> Measured:
    """Run what is missing of the campaign, and return what is there with the features of its puzzles."""
    if path == CONFIG and not DRAWN.is_file():
        DRAWN.parent.mkdir(exist_ok=True)
        drawn = (
            picture(kind, size, colours, seed).clues_only()
            for size in SIZES
            for kind in KINDS
            for colours, count in PICTURES.items()
            for seed in range(count)
        )
        save(drawn, DRAWN)
    config = load_config(path)
    for absence in config.absences:
        print(f"note: {absence}")
    folder = results or ROOT / "results" / config.name
    run_campaign(config, folder, shard=Shard.of(shard))
    return Measured.of(folder, config)


def _write(folder: Path, measured: Measured) -> None:
    """Write the table of our own puzzles, and all that was fitted."""
    folder.mkdir(parents=True, exist_ok=True)
    times = (measured.times * 1e3).replace(np.inf, np.nan).add_suffix(", ms")
    table = pd.concat([measured.table[["set", *FEATURES]], times], axis=1)
    table[~table.index.str.startswith(OTHERS)].to_csv(folder / "features.csv", float_format="%.3g")
    costs = measured.table[[f"cost {name}" for name in GROUPS]] * 1e3
    costs["all"] = costs.sum(axis=1)
    summary = {
        "limit_s": measured.limit_s,
        "cost_ms": {name.removeprefix("cost "): costs[name].quantile([0.5, 0.9]).tolist() for name in costs},
        "sets": {name: _of_set(measured, name) for name in measured.table["set"].unique()},
        "undecided by all": int(np.isinf(measured.times).all(axis=1).sum()),
        "fits": {backend: asdict(fit(measured, backend)) for backend in measured.times},
        "portfolios": [asdict(one) for one in accounts(measured)],
    }
    text = json.dumps(_rounded(summary), indent=1)
    (folder / "features.json").write_text(f"{text}\n", encoding="utf-8")


def _of_set(measured: Measured, name: str) -> dict[str, Any]:
    """Return the puzzles of a set, how many each backend decided, and its PAR-2."""
    part = measured.select((measured.table["set"] == name).to_numpy())
    return {
        "puzzles": len(part.table),
        "by lines": int((part.table["open cells"] == 0).sum()),
        "decided": {key: int(np.isfinite(own).sum()) for key, own in part.times.items()},
        "par2_ms": {key: 1e3 * own.mean() for key, own in part.costs.items()},
    }


def _rounded(value: Any) -> Any:
    """Return plain values, with numbers of four digits."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(own) for key, own in value.items()}
    return [*map(_rounded, value)] if isinstance(value, list) else value


def _sets(sets: dict[str, dict[str, Any]]) -> Table:
    backends = next(iter(sets.values()))["decided"]
    table = Table("set", "puzzles", "by lines", *backends, title="PAR-2 in ms (undecided)")
    for name, one in sets.items():
        cells = []
        for backend, decided in one["decided"].items():
            left = f" ({one['puzzles'] - decided})" if decided < one["puzzles"] else ""
            cells.append(f"{one['par2_ms'][backend]:.3g}{left}")
        table.add_row(name, str(one["puzzles"]), str(one["by lines"]), *cells)
    return table


def _scores(fits: dict[str, Fit]) -> Table:
    table = Table("backend", "decided", "R²", "R², decided", "R², other set", "factor", "AUC", *TIERS)
    for name, one in fits.items():
        cells = [one.score, one.score_decided, one.transfer, one.factor, one.auc, *one.by_tier.values()]
        table.add_row(name, f"{one.decided:.1%}", *("–" if cell is None else f"{cell:.2f}" for cell in cells))
    return table


def _portfolios(portfolios: list[Account]) -> Table:
    table = Table("portfolio", "total, s", "PAR-2, ms", "undecided", f"beside {ALONE}", "takes")
    for one in portfolios:
        ratio = f"{one.ratio:.3f} ({one.low:.2f}–{one.high:.2f})"
        takes = ", ".join(f"{name} {count}" for name, count in list(one.choices.items())[:3])
        figures = f"{one.total_s:.1f}", f"{1e3 * one.par2_s:.2f}", str(one.undecided), ratio
        table.add_row(one.name, *figures, takes)
    return table


def _costs(cost_ms: dict[str, list[float]]) -> Table:
    table = Table("features", "median, ms", "90 %, ms")
    for name, (median, most) in cost_ms.items():
        table.add_row(name, f"{median:.2f}", f"{most:.2f}")
    return table
