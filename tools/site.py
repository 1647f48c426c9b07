"""Add the studio and examples to a built manual: ``python -m tools.site FOLDER`` (``make site``).

Every page is one file without absolute addresses: the site works below any path, from a folder and offline.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from nonocsp import pages

ROOT = Path(__file__).parents[1]
SHOWCASE = ROOT / "datasets" / "showcase"
MARKER = "<!-- site: pages -->"
"""Where the home page of the manual gets the links."""
LINKS = {
    "studio.html": "Draw in the studio",
    "play.html": "Play thirty puzzles",
    "steps.html": "Follow a solution",
    "ladder.html": "Climb the ladder of methods",
    "smoke/report.html": "Read a report",
    "showcase/index.html": "How they were made",
}


def add_pages(site: Path) -> None:
    """Add the pages to a manual, and links to them to its home page."""
    (site / "studio.html").write_text(pages.built("studio"), encoding="utf-8")
    puzzles = SHOWCASE / "puzzles"
    _nonocsp("play", "--title", "Thirty nonograms", "--output", site / "play.html", puzzles)
    _nonocsp("explain", "--output", site / "steps.html", puzzles / "04-rocket.json")
    _nonocsp("ladder", "--output", site / "ladder.html", ROOT / "docs" / "explanation" / "wink.non")
    _nonocsp("bench", "smoke", "--output", site / "smoke")
    (site / "404.html").unlink(missing_ok=True)  # it has absolute addresses, unlike the other pages
    shutil.copytree(SHOWCASE, site / "showcase", ignore=shutil.ignore_patterns("*.md"), dirs_exist_ok=True)
    home = site / "index.html"
    before, marker, after = home.read_text(encoding="utf-8").partition(MARKER)
    if not marker:
        raise ValueError(f"{home} has no {MARKER}")
    links = " ".join(f'<a class="md-button" href="{page}">{text}</a>' for page, text in LINKS.items())
    home.write_text(f"{before}<p>{links}</p>{after}", encoding="utf-8")


def _nonocsp(*arguments: str | Path) -> None:
    command = [sys.executable, "-c", "from nonocsp.cli import main; main()", *map(str, arguments)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    add_pages(Path(sys.argv[1]))
