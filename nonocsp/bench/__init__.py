"""Run campaigns: the same puzzles for several backends, under the same limits, every answer checked.

A YAML config becomes a plan of runs; an executor measures what the store does not hold yet; the rows are
scored and cross-checked, and a report shows contradictions first. Importing this package loads nothing: each
name below is imported at first use, because `nonocsp solve` needs the executor but no pydantic.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonocsp.bench.campaign import CampaignResult as CampaignResult
    from nonocsp.bench.campaign import Contradicted as Contradicted
    from nonocsp.bench.campaign import Event as Event
    from nonocsp.bench.campaign import Finished as Finished
    from nonocsp.bench.campaign import Planned as Planned
    from nonocsp.bench.campaign import SetAside as SetAside
    from nonocsp.bench.campaign import Started as Started
    from nonocsp.bench.campaign import run_campaign as run_campaign
    from nonocsp.bench.config import CampaignConfig as CampaignConfig
    from nonocsp.bench.config import load_config as load_config
    from nonocsp.bench.planning import PlannedRun as PlannedRun
    from nonocsp.bench.planning import Shard as Shard
    from nonocsp.bench.planning import plan as plan
    from nonocsp.bench.report import summary_table as summary_table
    from nonocsp.bench.report import write_report as write_report
    from nonocsp.bench.rows import RunRow as RunRow
    from nonocsp.bench.store import Campaign as Campaign
    from nonocsp.bench.store import read_campaign as read_campaign

_HOME = {
    "campaign": (
        *("CampaignResult", "Contradicted", "Event", "Finished", "Planned", "SetAside", "Started"),
        "run_campaign",
    ),
    "config": ("CampaignConfig", "load_config"),
    "rows": ("RunRow",),
    "planning": ("PlannedRun", "Shard", "plan"),
    "report": ("summary_table", "write_report"),
    "store": ("Campaign", "read_campaign"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605  (a list, though computed)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value
