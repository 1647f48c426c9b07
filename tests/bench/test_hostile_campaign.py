"""A campaign with hostile backends has the same rows of the others as one without, and can be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from nonocsp.backends.base import Termination
from nonocsp.bench import load_config, run_campaign
from nonocsp.bench.store import read_campaign
from nonocsp.processes.starting import can_isolate

HONEST = ("settle", "hybrid", "brute")
CHOSEN = (
    *("writes-gone", "says-ended-early", "replies-twice", "speaks-later", "stops-the-clock"),
    *("turns-the-clock-back", "patches-verification", "yields-a-partial-grid-of-another-size"),
    *("counts-na-n", "counts-in-novels", "names-surrogates", "raises-a-novel", "raises-surrogates"),
    *("leaves-a-program", "kills-everything", "fills-its-folder", "replaces-its-folder"),
)
CONFIG = """\
name: mixed
puzzles: [{{file: puzzles.jsonl, slice: ":2"}}]
backends: [{backends}]
limits: {{wall: 3, memory: 1 GiB}}
jobs: 2
"""


@pytest.mark.slow
def test_hostile_backends_change_no_row_of_the_others(
    write_config: Callable[[str], Path],
    tmp_path: Path,
    hostile: Mapping[str, type[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOSTILE_OUTSIDE", str(Path("/proc/self/ns/pid").readlink()))
    chosen = [name for name in CHOSEN if can_isolate() or not hostile[name].needs_namespaces]
    mixed = [name for number, bad in enumerate(chosen) for name in (bad, *HONEST[number : number + 1])]
    rows = {}
    for name, backends in (("alone", HONEST), ("mixed", mixed)):
        config = load_config(write_config(CONFIG.format(backends=", ".join(backends))))
        run_campaign(config, tmp_path / name)
        rows[name] = list(read_campaign(tmp_path / name).rows)
    facts = {name: {row["run"]: _facts(row) for row in found} for name, found in rows.items()}
    assert facts["alone"].items() <= facts["mixed"].items()
    for row in rows["mixed"]:
        if row["backend"] in hostile:
            expected = (*hostile[row["backend"]].becomes, Termination.WALL)  # on a busy machine
            assert row["termination"] in expected, row
    assert len(rows["mixed"]) == 2 * (len(chosen) + len(HONEST))


def _facts(row: Mapping[str, Any]) -> list[Any]:
    """Return what the rows of one run share."""
    keys = ("answer", "termination", "solutions", "partial", "message", "stats", "left")
    return [row.get(key) for key in keys]
