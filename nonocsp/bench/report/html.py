"""One self-contained HTML page of a campaign: loads nothing, works offline, in light and dark, and prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nonocsp.backends.base import Termination
from nonocsp.bench.campaign import CampaignResult
from nonocsp.bench.crosscheck import is_wrong
from nonocsp.bench.provenance import versions_seen
from nonocsp.bench.report import cactus
from nonocsp.bench.report.table import seconds, shown_columns
from nonocsp.bench.scoring import is_decided
from nonocsp.bench.store import Row

MAX_LISTED = 500
"""The most undecided runs that the page lists."""


def write_report(result: CampaignResult, path: Path) -> None:
    """Write the page; what makes the campaign unsound comes first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(result), encoding="utf-8")


def render(result: CampaignResult) -> str:
    """Return the page as text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("nonocsp.bench.report"),
        autoescape=True,  # titles and messages of others stand on the page
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["seconds"] = seconds
    return environment.get_template("report.html.jinja").render(_view(result))


def _view(result: CampaignResult) -> dict[str, Any]:
    undecided = [row for row in result.rows if not is_decided(row)]
    crashed = [row for row in undecided if row["termination"] == Termination.CRASHED and not is_wrong(row)]
    cut_off = [row for row in undecided if row["termination"] not in {Termination.CRASHED, Termination.OK}]
    return {
        "result": result,
        "columns": shown_columns(result.scores),
        "cactus": cactus.cactus(result.rows, [score.backend for score in result.scores]),
        "plot": cactus,
        "crashed": crashed,
        "cut_off": cut_off,
        "max_listed": MAX_LISTED,
        "puzzles": len({(row["puzzle"], row["puzzle_hash"]) for row in result.rows}),
        "setting": _setting(result.rows),
        "versions": _versions(result.rows),
    }


def _setting(rows: list[Row]) -> dict[str, str]:
    """Return under what conditions the rows were made."""
    limits = rows[0]["limits"]
    memory = f"{limits['memory'] / 2**20:.0f} MiB" if limits["memory"] else "none"
    return {
        "task": rows[0]["task"],
        "wall limit": seconds(limits["wall"]),
        "CPU limit": seconds(limits["cpu"]),
        "memory limit": memory,
        "executor": ", ".join(sorted({row["executor"] for row in rows})),
        "machine": "; ".join(sorted({row["machine"] for row in rows})),
    }


def _versions(rows: list[Row]) -> dict[str, str]:
    """Return every package that was used and its versions."""
    seen = versions_seen(row["versions"] for row in rows)
    return {package: ", ".join(numbers) for package, numbers in seen.items()}
