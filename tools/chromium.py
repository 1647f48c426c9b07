"""Chromium without a window, in which tests and measurements open pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The commands of Chromium. The first can do nothing else, so it needs half the CPU time of the others."""


def command() -> str | None:
    """Return the path of the first command that is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Provide Chromium, and close it at the end; there must be a command."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=command(), args=["--no-sandbox"])
        yield browser
        browser.close()
