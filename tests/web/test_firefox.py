"""The studio in Firefox, if there is one; a screenshot is in build/screenshots."""

import shutil
import subprocess

import pytest


def test_the_studio_draws_plays_and_explains_in_firefox(node, studio_page, repository):
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        pytest.skip("no Firefox on this machine")
    shots = repository / "build" / "screenshots"
    shots.mkdir(parents=True, exist_ok=True)
    script = str(repository / "tests" / "web" / "firefox.ts")
    command = [node, script, firefox, str(studio_page), str(shots / "studio-firefox.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    first, after, touched, hint, end, steps = done.stdout.splitlines()
    assert first == "Draw something: the verdict appears here."
    assert after.startswith("One solution, line-solvable in")
    assert touched == "5"
    assert hint.startswith("Look at ")
    assert end.startswith("Solved in ")
    assert steps.startswith("Solved in ")
