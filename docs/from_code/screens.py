"""Take the pictures of studio and report for README and manual, each in light and dark.

    nonocsp bench configs/tcga.yaml
    python docs/from_code/screens.py results/tcga/report.html

writes ``studio-light.png``, ``report-light.png`` and those of the dark theme to ``docs/results/figures``.
Without a report, it takes only the studio. It needs Chromium and playwright.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "results" / "figures"
WIDTH, HEIGHT = 1000, 760
HOUSE = """
....##....
...####...
..######..
.########.
##########
.#......#.
.#..#...#.
.#....#.#.
.#.#....#.
.########."""
"""The house with two solutions that the tutorial on checking draws."""


def _open_studio(page: Page) -> None:
    page.goto((ROOT / "nonocsp" / "pages" / "studio.html").as_uri())
    house = {"name": "house.json", "mimeType": "application/json"}
    content = json.dumps({"title": "House", "goal": HOUSE.split()}).encode()
    page.locator("input[type=file]:not([capture])").set_input_files({**house, "buffer": content})  # type: ignore[list-item]
    page.get_by_text("Several solutions").wait_for()


def _open_report(report: Path, page: Page) -> None:
    page.goto(report.resolve().as_uri())
    page.wait_for_selector("body[data-ready]")


def main(reports: list[str]) -> None:
    """Open each page and write what its first screen shows, in few colours."""
    sys.path.insert(0, str(ROOT))
    from tools.chromium import chromium

    pages: dict[str, Callable[[Page], None]] = {"studio": _open_studio}
    if reports:
        pages["report"] = partial(_open_report, Path(reports[0]))
    with chromium() as browser:
        for name, open_page in pages.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme)
                open_page(page)
                picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                picture.quantize(160).save(FIGURES / f"{name}-{scheme}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
