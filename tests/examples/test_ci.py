"""The recipe in examples/ci fails on a slowdown of 10 %, and not on noise."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import yaml

from nonocsp.bench import load_config
from nonocsp.bench.rows import RunRow, encode_row
from tools.benchmarks.harness import synthetic
from tools.benchmarks.harness.aa import LOOKS

STUB = """\
#!/bin/sh
# nonocsp bench --repeats N --output FOLDER CONFIG adds a session that is ready; all else is real.
[ "$1" = bench ] || exec {python} -P -m nonocsp "$@"
mkdir -p "$5"
cat "$0-$3.jsonl" >>"$5/runs.jsonl"
echo "$(basename "$5") $3" >>log
"""
BACKENDS = 5


def session(number: int, version: int, slower: float, noise: float) -> Iterator[RunRow]:
    """Yield the rows of a session, which has a factor of its own, and another one for each backend."""
    rng = np.random.default_rng([number, version, 1])
    common = rng.normal(0, 2 * noise)
    own = dict(zip(synthetic.specs_of(BACKENDS), rng.normal(common, noise, BACKENDS), strict=True))
    own["hybrid:budget=1"] += np.log(slower)
    hours = 24 * number + 12 * version
    for row in synthetic.rows(backends=BACKENDS, puzzles=12, seed=2, hours=hours):
        factor = float(np.exp(own[row["backend"]] + rng.normal(0, 0.03)))
        times = {"wall_s": row["wall_s"] * factor, "cpu_s": row["cpu_s"] * factor}
        names = {"run": f"{row['run']}-{number}", "repeat": number, "code": f"{version:016}"}
        yield {**row, **times, **names}


@pytest.fixture
def judge(tmp_path):
    """Run the recipe on two versions whose times are drawn; return its exit code and the sessions it took."""

    def run(*, slower: float, noise: float) -> tuple[int, int]:
        for version, (name, factor) in enumerate((("before", 1.0), ("after", slower))):
            program = tmp_path / name / "bin" / "nonocsp"
            program.parent.mkdir(parents=True)
            program.write_text(STUB.format(python=sys.executable))
            program.chmod(0o755)
            for number in range(1, LOOKS[-1] + 1):
                rows = b"".join(map(encode_row, session(number, version, factor, noise)))
                program.with_name(f"nonocsp-{number}.jsonl").write_bytes(rows)
        recipe = Path(__file__).parents[2] / "examples" / "ci" / "speed.sh"
        command = [recipe, "before", "after", "speed.yaml", "results"]
        ended = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert "error" not in ended.stderr
        taken = (tmp_path / "log").read_text().splitlines()
        assert taken == [f"{it} {n + 1}" for n in range(len(taken) // 2) for it in ("before", "after")]
        return ended.returncode, len(taken) // 2

    return run


@pytest.mark.parametrize(
    ("slower", "noise", "code", "sessions"),
    [
        pytest.param(1.0, 0.01, 0, 5, id="identical"),
        pytest.param(1.1, 0.01, 1, 5, id="slower"),
        pytest.param(1.1, 0.04, 1, None, id="slower and noisy", marks=pytest.mark.slow),
        pytest.param(1.0, 0.3, 0, 20, id="too noisy to tell", marks=pytest.mark.slow),
    ],
)
def test_the_recipe_fails_on_a_slowdown_and_not_on_noise(judge, slower, noise, code, sessions):
    found, taken = judge(slower=slower, noise=noise)
    assert (found, sessions or taken) == (code, taken)


def test_the_files_to_copy_are_valid(repository):
    recipe = repository / "examples" / "ci"
    config = load_config(recipe / "speed.yaml")
    assert len({str(it) for it in config.backends}) >= 4  # else nothing tells what a session's factor was
    (job,) = yaml.safe_load((recipe / "workflow.yaml").read_text())["jobs"].values()
    (used,) = (step["run"].split() for step in job["steps"] if "speed.sh" in step.get("run", ""))
    assert [Path(word).name for word in used] == ["speed.sh", "before", "after", "speed.yaml"]
