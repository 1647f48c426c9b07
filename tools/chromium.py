"""Chromium without a window, in which tests and measurements open pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

COMMANDS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"


def command() -> str | None:
    """Return the path of the first command that is installed; the headless one takes half the CPU time."""
    return next(filter(None, map(shutil.which, COMMANDS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Provide Chromium, and close it at the end; there must be a command."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=command(), args=["--no-sandbox"])
        yield browser
        browser.close()
