"""Compare the product with that of an earlier commit in one run: ``python -m tools.benchmarks before``.

The earlier product is built once, as a wheel from the history of this clone, and runs in an environment of
its own with the same libraries. Both decide the same puzzles with the same seeds through ``nonocsp.solve``,
in turns of a few puzzles. Other backends, and the C++ sketch of the reference data, can take their turns as
well. Ratios of CPU time hardly depend on other processes. A run beyond the limit counts as the limit.

    python -m tools.benchmarks before --set tournaments --every 10
    python -m tools.benchmarks before --set pictures --seeds 0 --each
    python -m tools.benchmarks before --set hard --beside sketch --beside sat --beside cpsat --limit 10
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tools.benchmarks.core.compared_sets import SETS, Named
from tools.benchmarks.core.deciding_worker import CUT_OFF
from tools.benchmarks.core.products import UNREAD, Product, Sketch, interpreter

BEFORE = "6fd35f5"
TURN = 20
"""Puzzles that one product decides before the other one has its turn."""
LONG = 3.0
"""Seconds above which runs are counted."""
SKETCH = "sketch"
BROKEN = {"crashed", "memory", "killed", "unsupported", "unknown"}
PRODUCTS = ("before", "now")
TITLES = {"core_s": "the search alone", "whole_s": "whole calls of nonocsp.solve"}


@dataclass(frozen=True, slots=True)
class Decision:
    """One call of one product."""

    set: str
    part: str
    puzzle: str
    seed: int
    product: str  # ``before``, ``now``, ``sketch`` or the spec of a backend
    answer: str  # or why there is none
    whole_s: float  # CPU time of the call
    core_s: float  # of the backend's search inside it
    conflicts: int | None  # of the learning search; None if it did not start


def main(
    *,
    sets: Annotated[list[str] | None, typer.Option("--set", help=f"{', '.join(SETS)}; repeatable.")] = None,
    seeds: Annotated[str, typer.Option(help="Such as 51-54, or 3.")] = "71-74",
    every: Annotated[int, typer.Option(min=1, help="Only every n-th puzzle of each set.")] = 1,
    match: Annotated[str, typer.Option(help="Only puzzles with this text in their names.")] = "",
    limit: Annotated[float, typer.Option(help="CPU seconds a puzzle.")] = 30.0,
    commit: Annotated[str, typer.Option(help="The commit to compare with.")] = BEFORE,
    rows: Annotated[Path | None, typer.Option(help="A file for all calls as JSON Lines.")] = None,
    each: Annotated[bool, typer.Option("--each", help="Print every puzzle, too.")] = False,
    alone: Annotated[bool, typer.Option("--alone", help="Run only this checkout.")] = False,
    beside: Annotated[
        list[str] | None, typer.Option(help=f"{SKETCH}, or the spec of a backend; repeatable.")
    ] = None,
) -> None:
    """Print seconds before and now for each set, ratios by seed, and answers that differ."""
    first, _, last = seeds.partition("-")
    chosen = range(int(first), int(last or first) + 1)
    if unknown := set(sets or ()) - set(SETS):
        raise typer.BadParameter(f"unknown set {min(unknown)!r}; choose from {', '.join(SETS)}")
    puzzles = {name: [one for one in SETS[name]() if match in one[1]][::every] for name in sets or SETS}
    with ExitStack() as stack:
        products: list[Product | Sketch] = [stack.enter_context(Product("now", Path(sys.executable)))]
        if not alone:
            products.insert(0, stack.enter_context(Product("before", interpreter(commit))))
        for spec in beside or ():
            other = Sketch() if spec == SKETCH else Product(spec, Path(sys.executable), spec)
            products.append(stack.enter_context(other))
        decisions = [
            decision for named in puzzles.items() for decision in decided(*named, products, chosen, limit)
        ]
    if rows:
        rows.write_text("".join(json.dumps(asdict(one)) + "\n" for one in decisions))
    console = Console(width=80)
    console.print(f"seeds {seeds}, every puzzle of {every}, at most {limit:g} CPU s each, before: {commit}")
    if each:
        console.print(by_puzzle(decisions))
    if not alone:
        for figure in TITLES:
            console.print(by_set(decisions, figure))
    if alone or beside:
        console.print(by_product(decisions))
    different = disagreements(decisions)
    console.print(*(different or ["answers: equal"]), sep="\n")
    raise typer.Exit(bool(different))


def decided(
    of_set: str,
    puzzles: Sequence[Named],
    products: Sequence[Product | Sketch],
    seeds: Iterable[int],
    limit: float,
) -> Iterator[Decision]:
    """Yield what the products say about all puzzles with all seeds; each begins every other turn."""
    turns = [(seed, puzzles[i : i + TURN]) for seed in seeds for i in range(0, len(puzzles), TURN)]
    shown = track(turns, of_set, console=Console(stderr=True), transient=True)
    for number, (seed, part) in enumerate(shown):
        for product in products[:: -1 if number % 2 else 1]:
            answers = product.decide([puzzle for _, _, puzzle in part], seed, limit)
            for (part_name, name, _), answer in zip(part, answers, strict=True):
                yield Decision(of_set, part_name, name, seed, product.name, *answer)


def by_set(decisions: Sequence[Decision], figure: str) -> Table:
    """Return the table of sums of each set and its parts, means over the seeds."""
    columns = ("n", "before", "now", "ratio", "by seed", "worst", f"> {LONG:g} s")
    table = Table("set", title=f"CPU seconds a set: {TITLES[figure]}", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for of_set in dict.fromkeys(one.set for one in decisions):
        found = [one for one in decisions if one.set == of_set]
        parts = [*dict.fromkeys(one.part for one in found)]
        for part in parts if len(parts) > 1 else ():
            table.add_row(part, *_sums_row([one for one in found if one.part == part], figure))
        table.add_row(f"[bold]{of_set}", *_sums_row(found, figure), end_section=True)
    return table


def _sums_row(decisions: Sequence[Decision], figure: str) -> list[str]:
    """Return the cells of a row of `by_set`."""
    seeds = sorted({one.seed for one in decisions})
    times = {
        product: {
            seed: [getattr(one, figure) for one in decisions if (one.product, one.seed) == (product, seed)]
            for seed in seeds
        }
        for product in PRODUCTS
    }
    before, now = ([sum(of_seed) for of_seed in times[product].values()] for product in PRODUCTS)
    ratios = [ours / theirs for theirs, ours in zip(before, now, strict=True) if theirs]
    every = [[time for of_seed in times[product].values() for time in of_seed] for product in PRODUCTS]
    return [
        str(len(times["now"][seeds[0]])),
        f"{mean(before):.3g}",
        f"{mean(now):.3g}",
        f"{sum(now) / sum(before):.2f}" if ratios else "",
        f"{min(ratios):.2f}–{max(ratios):.2f}" if ratios else "",
        " → ".join(f"{max(each, default=0):.2g}" for each in every),
        " → ".join(str(sum(time > LONG for time in each)) for each in every),
    ]


def by_product(decisions: Sequence[Decision]) -> Table:
    """Return the table of sums of each set, whole calls, means over the seeds, with the puzzles cut off."""
    products = [*dict.fromkeys(one.product for one in decisions)]
    title = "CPU s a set (+ cut off)"
    table = Table("set", title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("n", *products):
        table.add_column(column, justify="right", no_wrap=True)
    for of_set in dict.fromkeys(one.set for one in decisions):
        found = [one for one in decisions if one.set == of_set]
        seeds = len({one.seed for one in found})
        cells = [str(len({one.puzzle for one in found}))]
        for product in products:
            runs = [one for one in found if one.product == product and one.answer != UNREAD]
            cut_off = sum(one.answer == CUT_OFF for one in runs)
            cells.append(
                f"{sum(one.whole_s for one in runs) / seeds:.3g}{f' (+{cut_off})' if cut_off else ''}"
            )
        table.add_row(of_set, *cells)
    return table


def by_puzzle(decisions: Sequence[Decision]) -> Table:
    """Return the table of seconds a puzzle in the order of the sets, means and maxima over the seeds."""
    table = Table("puzzle", "answer", *PRODUCTS, "worst of both", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in table.columns:
        column.no_wrap = True
    for name in dict.fromkeys(one.puzzle for one in decisions):
        found = [one for one in decisions if one.puzzle == name]
        times = [[one.core_s for one in found if one.product == product] or [0.0] for product in PRODUCTS]
        figures = [*(f"{mean(each):.3g}" for each in times), " ".join(f"{max(each):.2g}" for each in times)]
        table.add_row(name, " ".join(dict.fromkeys(one.answer for one in found)), *figures)
    return table


def disagreements(decisions: Iterable[Decision]) -> list[str]:
    """Return a line for each puzzle with several answers, and for each run that broke."""
    answers: dict[str, dict[str, list[str]]] = {}
    for one in decisions:
        if one.answer not in {CUT_OFF, UNREAD}:
            answers.setdefault(one.puzzle, {}).setdefault(one.answer, []).append(f"{one.product} {one.seed}")
    return [
        f"{puzzle}: " + ", ".join(f"{answer} ({'; '.join(of)})" for answer, of in found.items())
        for puzzle, found in answers.items()
        if len(found) > 1 or set(found) & BROKEN
    ]
