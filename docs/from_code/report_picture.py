"""Take the picture of a report's first screen for the manual, in light and dark.

    nonocsp bench configs/tcga.yaml
    python docs/from_code/report_picture.py results/tcga/report.html

writes ``docs/results/figures/report-light.png`` and ``report-dark.png``. It needs Chromium and playwright.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "results" / "figures"
WIDTH, HEIGHT = 1000, 800


def main(report: Path) -> None:
    """Open a report and write what its first screen shows, in few colours."""
    sys.path.insert(0, str(ROOT))
    from tools.chromium import chromium

    with chromium() as browser:
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme)
            page.goto(report.resolve().as_uri())
            page.wait_for_selector("body[data-ready]")
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(160).save(FIGURES / f"report-{scheme}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
