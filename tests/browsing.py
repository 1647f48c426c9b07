"""A page in a browser that may neither fail nor ask for anything elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
LOCAL = ("file:", "blob:", "data:")


class Visit:
    """A page of a context, with what it asked for and where it failed."""

    def __init__(self, context: BrowserContext, address: str | Path = "", *, has_clock: bool = False) -> None:
        self.page: Page = context.new_page()
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        if has_clock:
            self.page.clock.install()
        self.page.goto(address.as_uri() if isinstance(address, Path) else address)

    def cell(self, row: int, column: int) -> Locator:
        return self.page.locator(f'td[data-row="{row}"][data-column="{column}"]')

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def check(self, *own: str) -> None:
        """Assert that nothing failed, and that nothing was asked for but of these places."""
        assert not self.errors
        assert [url for url in self.requests if not url.startswith((*LOCAL, *own))] == []


class Fingers:
    """Fingers on cells of a page, as the browser gets them from a screen."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.session = visit.page.context.new_cdp_session(visit.page)
        self.count = 0

    def touch(self, *cells: tuple[int, int]) -> None:
        """Move the fingers to the middles of cells; put down or lift those that are new or missing."""
        boxes = [self.visit.cell(*cell).bounding_box() or {} for cell in cells]
        self.at(*((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes))

    def at(self, *points: tuple[float, float]) -> None:
        """Move the fingers to points of the window."""
        kind = (
            "touchMove"
            if len(points) == self.count
            else "touchStart"
            if len(points) > self.count
            else "touchEnd"
        )
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        self.count = len(points)


def shots(repository: Path) -> Path:
    """Return the folder of screenshots, made if missing."""
    folder = repository / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
