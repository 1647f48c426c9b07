"""A test whose page hangs fails, and the tests after it go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.waiting import pages_end_after

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_what_waits_for_a_page_that_hangs_fails(browser: Browser) -> None:
    page = browser.new_page()
    with pages_end_after(0.2), pytest.raises(Exception, match=r"crashed|closed"):
        page.evaluate("for (;;);")
    page.close()
    page = browser.new_page()
    assert page.evaluate("1 + 1") == 2
    page.close()
