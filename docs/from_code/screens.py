"""Take the pictures of the pages for README and manual, and of all views to look at.

    nonocsp bench configs/tcga.yaml
    python docs/from_code/screens.py results/tcga/report.html

writes ``studio-light.png``, ``player-light.png``, ``report-light.png`` and those of the dark theme to
``docs/results/figures``, and every view to ``build/screens``: on a desk and a phone, light, dark, in German.
Without a report, it leaves that out. It needs Chromium and playwright.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "results" / "figures"
SCREENS = ROOT / "build" / "screens"
SHOWCASE = ROOT / "datasets" / "showcase"
DESK = {"viewport": {"width": 1000, "height": 760}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LOOKS: dict[str, dict[str, Any]] = {
    "light": DESK,
    "dark": DESK | {"color_scheme": "dark"},
    "german": DESK | {"locale": "de"},
    "phone": PHONE,
    "phone-dark": PHONE | {"color_scheme": "dark", "locale": "de"},
}
IN_MANUAL = ("studio", "player", "report")
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


def studio(page: Page, *, view: int = 0, press: tuple[int, ...] = ()) -> None:
    """Open the house in a view of the studio, and press buttons of its bar and of the dialog."""
    house = json.dumps({"title": "House", "goal": HOUSE.split()}).encode()
    link = urlsafe_b64encode(house).decode().rstrip("=")
    page.goto(f"{(ROOT / 'nonocsp' / 'pages' / 'studio.html').as_uri()}#p={link}")
    page.locator("#verdict.several[aria-busy=false]").wait_for()
    if view:
        page.locator(".pages button").nth(view).click()
        page.locator("#board, .collection").wait_for()
    for i, number in enumerate(press):
        page.locator("dialog button" if i else ".begin button").nth(number).click()


def player(page: Page) -> None:
    """Play the upper half of the arrow."""
    puzzle = SHOWCASE / "puzzles" / "06-arrow.json"
    page.goto(written("player.html", "play", puzzle).as_uri())
    goal = json.loads(puzzle.read_text())["goal"]
    for row, cells in enumerate(goal[: len(goal) // 2 + 1]):
        for column, char in enumerate(cells):
            if char == "#":
                page.locator(f'td[data-row="{row}"][data-column="{column}"]').click()


def written(name: str, *command: str | Path) -> Path:
    """Write a page by a command of nonocsp."""
    path = SCREENS / name
    cli = [sys.executable, "-m", "nonocsp", *map(str, command), "--output", str(path)]
    subprocess.run(cli, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return path


def take(browser: Browser, name: str, look: str, opened: Any) -> None:
    """Show a view in a look, and write its first screen."""
    page = browser.new_context(**LOOKS[look]).new_page()
    if callable(opened):
        opened(page)
    else:
        page.goto(Path(opened).resolve().as_uri())
        page.wait_for_load_state("networkidle")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.save(SCREENS / f"{name}-{look}.png")
    if name in IN_MANUAL and look in ("light", "dark"):
        picture.quantize(160).save(FIGURES / f"{name}-{look}.png", optimize=True)
    page.context.close()


def main(reports: list[str]) -> None:
    """Take every view in every look."""
    sys.path.insert(0, str(ROOT))
    from tools.chromium import chromium

    SCREENS.mkdir(parents=True, exist_ok=True)
    rocket = SHOWCASE / "puzzles" / "04-rocket.json"
    views: dict[str, Any] = {
        "studio": studio,
        "new": lambda page: studio(page, press=(0,)),
        "clues": lambda page: studio(page, press=(0, 6)),
        "open": lambda page: studio(page, press=(1,)),
        "play": lambda page: studio(page, view=1),
        "steps": lambda page: studio(page, view=2),
        "kept": lambda page: studio(page, view=3),
        "player": player,
        "explained": written("explained.html", "explain", rocket),
        "gallery": SHOWCASE / "index.html",
    }
    if reports:
        views["report"] = Path(reports[0])
    with chromium() as browser:
        for name, opened in views.items():
            for look in LOOKS:
                take(browser, name, look, opened)


if __name__ == "__main__":
    main(sys.argv[1:])
