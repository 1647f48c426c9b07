"""``nonocsp NAME``: every backend as a command that does what ``nonocsp solve --backend`` does."""

import json
import sys
from collections.abc import Iterator

import pytest
from typer.testing import Result

from nonocsp.backends import installed

ENTRY_POINTS = """[nonocsp.backends]
greedy = plugin:Greedy
broken = broken_plugin:Broken
needy = plugin:Needy
solve = plugin:Greedy
"""
PLUGIN = """
from dataclasses import dataclass
from typing import Annotated
from annotated_doc import Doc
from annotated_types import Interval
from nonocsp.backends.settle import Settle

@dataclass(frozen=True)
class GreedyOptions:
    look_ahead: Annotated[int, Interval(ge=1, le=9), Doc("cells")] = 3
    limit: Annotated[bool, Doc("an option that solve has too")] = True

class Greedy(Settle):
    Options = GreedyOptions
    summary = "first things " + "first"

    def search(self, puzzle, run):
        run.stats["options"] = str(self.options)
        yield from Settle(Settle.Options()).search(puzzle, run)

class Needy(Settle):
    requires = ("no_such_module",)
"""


@pytest.fixture
def plug_in(tmp_path, monkeypatch) -> Iterator[None]:
    """An installed package with a good, a broken and an unavailable backend, and one named like a command."""
    meta = tmp_path / "plugin-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "plugin.py").write_text(PLUGIN)
    (tmp_path / "broken_plugin.py").write_text("raise RuntimeError('out of order')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "plugin", raising=False)
    installed.registered.cache_clear()
    yield
    installed.registered.cache_clear()


def record(result: Result) -> dict:
    """Return the JSON of one puzzle without what differs from run to run."""
    (line,) = result.stdout.splitlines()
    found = json.loads(line)
    found["stats"] = {key: value for key, value in found["stats"].items() if not key.endswith("_s")}
    return {key: value for key, value in found.items() if key not in ("wall_s", "cpu_s")}


@pytest.mark.parametrize(
    ("command", "spec"),
    [
        (["sat", "--encoding", "direct", "--solver", "glucose3"], "sat:encoding=direct,solver=glucose3"),
        (["settle", "--order", "sweeps"], "settle:order=sweeps"),
        (
            ["gac", "--value-order", "first", "--max-placements", "7"],
            "gac:value_order=first,max_placements=7",
        ),
    ],
)
def test_a_backends_command_does_what_solve_does_with_its_spec(cli, files, command, spec):
    for arguments in (["--task", "count"], ["--index", "1", "--task", "solve", "--seed", "1"]):
        own = cli(*command, files("multiple"), *arguments, "--json")
        solve = cli("solve", "--backend", spec, files("multiple"), *arguments, "--json")
        assert (record(own), own.exit_code) == (record(solve), solve.exit_code)
        assert record(own)["backend"] == spec


@pytest.mark.usefixtures("plug_in")
def test_third_party_backends_have_commands_and_a_broken_one_does_not_affect_others(cli, files):
    text = cli("--help").stdout
    words = " ".join(text.split())
    assert "greedy first things first" in words
    assert "broken cannot be loaded: out of order" in words
    assert cli("greedy", "--help").exit_code == 0
    assert "Not available here: needs no_such_module" in " ".join(cli("needy", "--help-all").stdout.split())
    assert "out of order" in cli("broken", "--help-all").stdout
    for name in ("broken", "needy"):
        result = cli(name, files("unique"))
        assert result.exit_code == 2
        assert f"backend '{name}' is not available" in result.stderr
    assert cli("sat", files("unique")).exit_code == 0
