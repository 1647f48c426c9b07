"""Run campaigns: the same puzzles for several backends, under the same limits, every answer checked.

A YAML config becomes a plan of runs; an executor measures what the store does not hold yet; the rows are
scored and cross-checked, and a report shows contradictions first. Importing this package loads nothing: each
name below is imported at first use, because `nonocsp solve` needs the executor but no pydantic.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonocsp.bench.campaign import run_campaign as run_campaign
    from nonocsp.bench.config import load_config as load_config
    from nonocsp.bench.planning import plan as plan
    from nonocsp.bench.store import read_campaign as read_campaign

_HOME = {"load_config": "config", "plan": "planning", "read_campaign": "store", "run_campaign": "campaign"}

__all__ = sorted(_HOME)  # noqa: PLE0605  (a list, though computed)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
